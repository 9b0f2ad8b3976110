/*
 * This file factorises matrices: one section eliminates in a general matrix, whose
 * remaining part shrinks from step to step, while the other builds the Cholesky
 * factor of a symmetric one, whose finished part grows.
 *
 *   phases tiny|small|large
 *
 * What is hard: phases over time. At first the left section has all the work, in the
 * middle they are equal, at the end it is the right one; over the whole run both have
 * nearly the same. A second region has two plain phases: in the first half of the
 * steps one of its sections works, in the second half the other.
 *
 * What averages miss: averages over the run make both sections equal at all times
 * and promise a speed-up of nearly 2. The plain phases show in the paths, as a branch
 * in each section; the gliding ones do not, as they are trip counts of inner loops.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, SIDES = 16 };

static double general[N][N], symmetric[N][N], factor[N][N];
static double first[N][SIDES], second[N][SIDES]; /* right-hand sides, then solutions */
static unsigned random_state = 0x7feb352du;

static double random_unit(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state / 4294967296.0;
}

/* Both diagonally dominant: no pivoting is needed, and the second is definite. */
static void make_matrices(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            general[i][j] = random_unit();
            general[j][i] = random_unit();
            symmetric[i][j] = symmetric[j][i] = random_unit();
        }
    for (int i = 0; i < N; i++) {
        general[i][i] = N;
        symmetric[i][i] = N;
        for (int s = 0; s < SIDES; s++)
            first[i][s] = second[i][s] = i % (s + 2);
    }
}

/* Step k of Gauss's elimination: (N-k)^2 operations. */
static void eliminate(int k)
{
    for (int i = k + 1; i < N; i++) {
        double by = general[i][k] / general[k][k];
        general[i][k] = by;
        for (int j = k + 1; j < N; j++)
            general[i][j] -= by * general[k][j];
    }
}

/* Row k of the Cholesky factor: k^2/2 operations; each waits for the last. */
static void cholesky_row(int k)
{
    for (int j = 0; j <= k; j++) {
        double sum = symmetric[k][j];
        for (int i = 0; i < j; i++)
            sum -= factor[k][i] * factor[j][i];
        factor[k][j] = j == k ? sqrt(sum) : sum / factor[j][j];
    }
}

static void step(int k)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        eliminate(k);
        #pragma omp section
        cholesky_row(k);
    }
}

/* Takes unknown k out of the equations below it, with either lower factor. */
static void substitute_general(int k)
{
    for (int i = k + 1; i < N; i++)
        for (int s = 0; s < SIDES; s++)
            first[i][s] -= general[i][k] * first[k][s];
}

static void substitute_symmetric(int k)
{
    for (int s = 0; s < SIDES; s++)
        second[k][s] /= factor[k][k];
    for (int i = k + 1; i < N; i++)
        for (int s = 0; s < SIDES; s++)
            second[i][s] -= factor[i][k] * second[k][s];
}

/* One system in the first half of the steps, the other in the second: two unknowns
   a step. */
static void solve_step(int step)
{
    int k = 2 * step % N;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        if (step < N / 2) {
            substitute_general(k);
            substitute_general(k + 1);
        }
        #pragma omp section
        if (step >= N / 2) {
            substitute_symmetric(k);
            substitute_symmetric(k + 1);
        }
    }
}

static int systems(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 200;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 2000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 6;
    fprintf(stderr, "usage: phases tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = systems(argc, argv);
    double determinant = 0, definite = 0, solutions = 0;
    for (int n = 0; n < count; n++) {
        make_matrices();
        for (int k = 0; k < N; k++)
            step(k);
        for (int k = 0; k < N; k++)
            solve_step(k);
        for (int i = 0; i < N; i++) {
            determinant += log(fabs(general[i][i]));
            definite += 2 * log(factor[i][i]);
            solutions += first[i][i % SIDES] + second[i][i % SIDES];
        }
    }
    printf("systems %d determinants %.4f %.4f solutions %.4f\n", count, determinant, definite, solutions);
    return 0;
}
