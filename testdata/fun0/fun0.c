/*
 * This file is the worked example of Lattuada, Pilato and Ferrandi, "Performance
 * Estimation of Task Graphs based on Path Profiling", Fig. 1b: one function
 * whose three sections hang together through the conditions c1 and c2.
 *
 *   fun0 a    c1 == c2: sections 1 and 3 are heavy in the same executions
 *   fun0 b    c1 != c2: sections 1 and 3 are heavy in opposite executions
 *
 * Each statement o_i of the paper stands alone on its line, so that the line
 * table table1.yaml can give it the cycles of Table 1. Lines that are no
 * statement of the paper (declarations, braces, pragmas, main, the bodies of
 * fun_1 to fun_4) cost nothing there.
 */
#include <stdio.h>

static unsigned trace_sum; /* written by section 2 only, through fun_2 */

__attribute__((noinline)) void fun_1(int *a)
{
    for (int i = 0; i < 40; i++)
        *a = (*a * 3 + (i ^ *a % 7)) % 1000;
    *a += 1;
}

__attribute__((noinline)) void fun_2(int value)
{
    trace_sum = trace_sum * 31u + (unsigned)value;
}

__attribute__((noinline)) void fun_3(int *c)
{
    for (int i = 0; i < 40; i++)
        *c = (*c * 5 + i) % 257;
}

__attribute__((noinline)) void fun_4(int *array)
{
    int top = array[9];
    array[9] = array[0];
    array[0] = top;
}

int fun_0(int c1, int c2, int c3, int *array)
{
    int index, a, b = 0, c;
    index = 0; /* o_1 */
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        {
            a = c2 + c1; /* o_2 */
            if (c1) /* o_3 */
                fun_1(&a); /* o_4 */
            else
                a *= 2; /* o_5 */
            a += b; /* o_6 */
            b = a + c1; /* o_14 */
        }
        #pragma omp section
        {
            while (index < 10) { /* o_8 */
                array[index] = index; /* o_9 */
                if (c3) /* o_10 */
                    fun_2(array[index]); /* o_11 */
                else
                    array[index]++; /* o_12 */
                index++; /* o_13 */
            }
            fun_4(array); /* o_18 */
        }
        #pragma omp section
        {
            c = 1; /* o_7 */
            if (c2) /* o_15 */
                fun_3(&c); /* o_16 */
            else
                c *= 2; /* o_17 */
        }
    }
    return array[0] + a + b + c; /* o_19 */
}

int main(int argc, char **argv)
{
    if (argc != 2 || (argv[1][0] != 'a' && argv[1][0] != 'b') || argv[1][1] != '\0') {
        fprintf(stderr, "usage: fun0 a|b\n");
        return 2;
    }
    int same = argv[1][0] == 'a';
    int array[10];
    int sum = 0;
    for (int run = 0; run < 10; run++) {
        int c1 = run % 2;
        int c2 = same ? c1 : !c1;
        sum += fun_0(c1, c2, 1, array);
    }
    printf("sum %d trace %u\n", sum, trace_sum);
    return 0;
}
