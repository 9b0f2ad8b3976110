/*
 * This file calls the OpenMP runtime's own functions. What it prints holds for any
 * number of threads, one included, and for a build without OpenMP.
 */
#include <stdio.h>

#ifdef _OPENMP
/* Declared here because omp.h is not beside every compiler. */
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_in_parallel(void);
double omp_get_wtime(void);
void omp_set_num_threads(int);
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
static int omp_get_max_threads(void) { return 1; }
static int omp_in_parallel(void) { return 0; }
static double omp_get_wtime(void) { return 1; }
static void omp_set_num_threads(int n) { (void)n; }
#endif

int main(void)
{
    int in_range[3] = {0}, team[3] = {0}, equal;
    long sum[3] = {0};
    double begun = omp_get_wtime();

    printf("outside: thread %d of %d, parallel %d\n", omp_get_thread_num(), omp_get_num_threads(),
           omp_in_parallel());
    omp_set_num_threads(3);
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            team[0] = omp_get_num_threads();
            in_range[0] = omp_get_thread_num() >= 0 && omp_get_thread_num() < team[0];
            for (int i = 0; i < 1000; i++)
                sum[0] += i % (omp_get_num_threads() > 0 ? 7 : 9);
        }
        #pragma omp section
        {
            team[1] = omp_get_num_threads();
            in_range[1] = omp_get_thread_num() < team[1];
            sum[1] = omp_get_thread_num() < 100 ? 11 : 12;
        }
        #pragma omp section
        {
            team[2] = omp_get_num_threads();
            in_range[2] = omp_get_max_threads() >= 1;
            sum[2] = omp_in_parallel() == (team[2] > 1);
        }
    }
    equal = team[0] == team[1] && team[1] == team[2];
    printf("in range %d %d %d team equal %d\n", in_range[0], in_range[1], in_range[2], equal);
    printf("sums %ld %ld %ld time %s\n", sum[0], sum[1], sum[2],
           omp_get_wtime() >= begun ? "forward" : "backward");
    return 0;
}
