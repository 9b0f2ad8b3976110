/*
 * This file starts each section with copies of variables: a scalar that a section
 * changes, an array, a structure and a pointer.
 */
#include <stdio.h>

struct range {
    int low, high, step;
};

static long walk(struct range *r, int *weights)
{
    long sum = 0;
    while (r->low < r->high) {
        sum += r->low * weights[r->low % 3];
        weights[r->low % 3]++;
        r->low += r->step;
    }
    return sum;
}

int main(void)
{
    struct range r = {3, 400, 7};
    int weights[3] = {1, 2, 3}, start = 5;
    long a = 0, b = 0;
    long *out = &b;

    #pragma omp parallel sections firstprivate(r, weights, start, out)
    {
        #pragma omp section
        {
            start += 10;
            a = walk(&r, weights) + start;
        }
    }
    /* A second region, so that each starts from known values in any build. */
    r.low = 3;
    start = 5;
    weights[0] = 1;
    weights[1] = 2;
    weights[2] = 3;
    #pragma omp parallel sections firstprivate(r, weights, start) firstprivate(out)
    {
        #pragma omp section
        {
            r.step = 2;
            *out = walk(&r, weights) - start;
        }
    }
    printf("a %ld b %ld\n", a, b);
    return 0;
}
