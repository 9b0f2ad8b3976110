/* Parallel regions that are no sections: teams, tasks, loops of all schedules, orphaned work. */
#include <stdio.h>

static int total, parts[8];

static void orphan(void)
{
    #pragma omp for
    for (int i = 0; i < 8; i++)
        parts[i] += i;
    #pragma omp sections nowait
    {
        #pragma omp section
        parts[0]++;
    }
}

int main(void)
{
    #pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < 8; i++)
        parts[i] += 2 * i;
    #pragma omp parallel for schedule(static, 3) reduction(+ : total)
    for (int i = 0; i < 8; i++)
        total += parts[i];
    #pragma omp parallel
    {
        orphan();
        #pragma omp single
        {
            #pragma omp taskloop
            for (int i = 0; i < 4; i++)
                parts[i] *= 3;
            #pragma omp task shared(total)
            total++;
            #pragma omp taskwait
        }
    }
    #pragma omp target teams distribute parallel for map(tofrom : parts)
    for (int i = 0; i < 8; i++)
        parts[i]++;
    #pragma omp parallel num_threads(2)
    {
        #pragma omp for ordered
        for (int i = 0; i < 8; i++) {
            #pragma omp ordered
            total = total * 2 % 1001 + parts[i];
        }
    }
    printf("%d\n", total);
    return 0;
}
