/* Ten programs of tasks, one for each argument. Tasks with dependences say when they began
 * and ended; the places of tasks are numbered in the order of the source. A task counts as
 * included where its creator is in a final task. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 16, LOGGED = 400 };
static long made[PLACES], included[PLACES];
static long began[LOGGED], ended[LOGGED], stamp;

static long tick(void)
{
    long t;
    #pragma omp atomic capture
    t = ++stamp;
    return t;
}

static void here(int place, int in_final)
{
    if (in_final) {
        #pragma omp atomic
        included[place]++;
    } else {
        #pragma omp atomic
        made[place]++;
    }
}

static long spend(long n)
{
    volatile long x = 0;
    for (long i = 0; i < n; i++)
        x += i * i;
    return x;
}

/* 0 and 1: two calls of a recursion. */
static long fib(int n)
{
    long x, y;
    if (n < 2)
        return n;
    #pragma omp task shared(x) firstprivate(n)
    { here(0, 0); x = fib(n - 1); }
    #pragma omp task shared(y) firstprivate(n) if (n > 4)
    { here(1, 0); y = fib(n - 2); }
    #pragma omp taskwait
    return x + y;
}

/* 2: queens in rows, as many tasks as squares that are free. */
static int queens(int n, int row, unsigned columns, unsigned left, unsigned right)
{
    int ways[16] = {0}, all = 0;
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c;
        if ((columns | left | right) & bit)
            continue;
        #pragma omp task shared(ways) firstprivate(c, bit)
        { here(2, 0); ways[c] = queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1); }
    }
    #pragma omp taskwait
    for (int c = 0; c < n; c++)
        all += ways[c];
    return all;
}

/* 3 and 4: halves that are sorted; in final tasks below a size. */
static void sort(int *a, int n)
{
    int final = omp_in_final();
    if (n < 8) {
        for (int i = 1; i < n; i++)
            for (int k = i; k > 0 && a[k] < a[k - 1]; k--) {
                int x = a[k];
                a[k] = a[k - 1];
                a[k - 1] = x;
            }
        return;
    }
    #pragma omp task final(n < 100) firstprivate(final)
    { here(3, final); sort(a, n / 2); }
    #pragma omp task final(n < 100) mergeable firstprivate(final)
    { here(4, final); sort(a + n / 2, n - n / 2); }
    #pragma omp taskwait
    int *b = malloc(n * sizeof *b), i = 0, k = n / 2;
    for (int to = 0; to < n; to++)
        b[to] = k == n || (i < n / 2 && a[i] <= a[k]) ? a[i++] : a[k++];
    for (int to = 0; to < n; to++)
        a[to] = b[to];
    free(b);
}

/* 5: LU of blocks; 6: a front of blocks; both wait by dependences, and say when they run. */
enum { SIDE = 7 };
static char block[SIDE + 1][SIDE + 1];

static void logged(int id)
{
    began[id] = tick();
    spend(200 + 37 * (id % 11));
    ended[id] = tick();
}

static int lu(void)
{
    int id = 0;
    for (int k = 0; k < SIDE; k++)
        for (int i = k; i < SIDE; i++)
            for (int j = k; j < SIDE; j++, id++)
                #pragma omp task firstprivate(id) depend(in : block[k][j], block[i][k]) depend(inout : block[i][j])
                { here(5, 0); logged(id); }
    return id;
}

static int front(void)
{
    int id = 0;
    for (int i = 1; i <= SIDE; i++)
        for (int j = 1; j <= SIDE; j++, id++)
            #pragma omp task firstprivate(id) depend(in : block[i - 1][j], block[i][j - 1]) depend(out : block[i][j]) priority(id)
            { here(6, 0); logged(id); }
    #pragma omp taskwait depend(in : block[2][2])
    return id;
}

/* 7 and 8: taskloops. */
static void loops(void)
{
    int once = 1;
    #pragma omp taskloop grainsize(4) firstprivate(once)
    for (int i = 0; i < 45; i++) {
        if (once) here(7, 0);
        once = 0;
    }
    #pragma omp taskloop num_tasks(6) firstprivate(once) nogroup
    for (long i = 100; i > 0; i -= 3) {
        if (once) here(8, 0);
        once = 0;
    }
}

/* 9 and 10: groups. */
static void groups(int depth)
{
    #pragma omp taskgroup
    for (int i = 0; i < 3; i++) {
        #pragma omp task
        {
            here(9, 0);
            #pragma omp task
            here(10, 0);
            if (depth > 0)
                groups(depth - 1);
        }
    }
}

/* 11 and 12: untied tasks, which clang cuts where they may go on elsewhere. */
static void untied(int n)
{
    for (int i = 0; i < 10; i++) {
        #pragma omp task untied firstprivate(i)
        {
            here(11, 0);
            for (int k = 0; k < n; k++) {
                #pragma omp task firstprivate(k)
                { here(12, 0); spend(k); }
            }
            #pragma omp taskwait
            #pragma omp taskyield
            spend(i);
        }
    }
}

/* 13: all of a region makes them, which only its first thread does. */
static void whole(void)
{
    #pragma omp parallel
    if (omp_get_thread_num() == 0) {
        for (int i = 0; i < 12; i++) {
            #pragma omp task
            { here(13, 0); spend(100); }
        }
    }
}

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, n = 0;
    int *a = malloc(3000 * sizeof *a);
    for (int i = 0; i < 3000; i++)
        a[i] = (i * 7919) % 3001;
    if (which == 9)
        whole();
    else
        #pragma omp parallel
        #pragma omp single
        switch (which) {
        case 0: fib(14); break;
        case 1: queens(7, 0, 0, 0, 0); break;
        case 2: sort(a, 3000); break;
        case 3: n = lu(); break;
        case 4: n = front(); break;
        case 5: loops(); break;
        case 6: groups(2); break;
        case 7: untied(6); break;
        case 8: fib(9); queens(5, 0, 0, 0, 0); n = lu(); break;
        }
    for (int p = 0; p < 14; p++)
        printf("%ld ", made[p]);
    printf("\n");
    for (int i = 0; i < n; i++)
        printf("%ld %ld\n", began[i], ended[i]);
    return 0;
}
