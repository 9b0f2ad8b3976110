/* Tasks that iterations of worksharing loops make, and sections, one program for each argument.
 * Each says how many it made, and then what each thread did in its order: "i" for an iteration
 * that ended, "t" for a task that began, with the thread that made it and whether the thread
 * was amid a taskwait of its own or the end of a taskgroup. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, LOGGED = 20000 };
static struct { char kind; short by, waits; } log_of[THREADS][LOGGED];
static int logged[THREADS], waiting[THREADS];
static long made[6];

static void tell(char kind, int by)
{
    int t = omp_get_thread_num();
    if (logged[t] < LOGGED) {
        log_of[t][logged[t]].kind = kind;
        log_of[t][logged[t]].by = (short)by;
        log_of[t][logged[t]++].waits = (short)waiting[t];
    }
}

static void spend(long n)
{
    volatile long x = 0;
    for (long i = 0; i < n; i++)
        x += i * i;
}

static void task(int place, int by, long n)
{
    #pragma omp atomic
    made[place]++;
    tell('t', by);
    spend(n);
}

/* 0: few enough for the queues. 1: more than these hold. */
static void loop(int n, int each, long work)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < each; k++) {
            #pragma omp task firstprivate(i, k)
            task(0, -1, work);
        }
        tell('i', 0);
    }
}

/* 2: each iteration waits for what it made; of the threads some are done long before others. */
static void waits(void)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 40; i++) {
        int by = omp_get_thread_num();
        for (int k = 0; k < 8; k++) {
            #pragma omp task firstprivate(by, k)
            task(1, by, 20000 + 30000 * (k == 0));
        }
        if (i % 2) {
            waiting[by] = 1;
            #pragma omp taskwait
            waiting[by] = 0;
        }
        tell('i', 0);
    }
}

/* 3: the same in sections, with groups. */
static void in_sections(void)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < 20; i++) {
            int by = omp_get_thread_num();
            #pragma omp taskgroup
            {
                for (int k = 0; k < 8; k++) {
                    #pragma omp task firstprivate(by, k)
                    task(2, by, 20000 + 30000 * (k == 0));
                }
                waiting[by] = 1;
            }
            waiting[by] = 0;
            tell('i', 0);
        }
        #pragma omp section
        for (int i = 0; i < 20; i++) {
            int by = omp_get_thread_num();
            for (int k = 0; k < 8; k++) {
                #pragma omp task firstprivate(by, k)
                task(3, by, 20000 + 30000 * (k == 0));
            }
            waiting[by] = 1;
            #pragma omp taskwait
            waiting[by] = 0;
            tell('i', 0);
        }
    }
}

/* 4: a region inside of a task: who makes tasks there executes them at once. */
static void inside(void)
{
    #pragma omp parallel
    #pragma omp single
    for (int i = 0; i < 10; i++) {
        #pragma omp task firstprivate(i)
        {
            int outer = omp_get_thread_num();
            #pragma omp parallel
            {
                #pragma omp task firstprivate(outer)
                {
                    #pragma omp atomic
                    made[5]++;
                    if (omp_get_ancestor_thread_num(1) != outer || omp_get_num_threads() != 1)
                        made[5] += 1000;
                }
            }
            #pragma omp atomic
            made[4]++;
        }
    }
}

int main(int argc, char **argv)
{
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: loop(64, 3, 5000); break;
    case 1: loop(4000, 1, 50); break;
    case 2: waits(); break;
    case 3: in_sections(); break;
    case 4: inside(); break;
    }
    for (int p = 0; p < 6; p++)
        printf("%ld ", made[p]);
    printf("\n");
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < logged[t]; i++)
            printf("%d %c %d %d\n", t, log_of[t][i].kind, log_of[t][i].by, log_of[t][i].waits);
    return 0;
}
