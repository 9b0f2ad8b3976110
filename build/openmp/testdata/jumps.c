/* Sections with setjmp, variable-length arrays, computed goto and asm goto, and one that ends the program. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;

static int once(int n)
{
    volatile int tries = 0;
    int sum = 0;
    #pragma omp parallel sections reduction(+ : sum)
    {
        #pragma omp section
        {
            if (setjmp(env) < 3) {
                tries++;
                longjmp(env, tries);
            }
            sum += tries;
        }
        #pragma omp section
        {
            int table[n + 1];
            for (int i = 0; i <= n; i++)
                table[i] = i * i;
            sum += table[n / 2];
        }
    }
    return sum;
}

static int machine(const char *code)
{
    int a = 0, b = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            static void *const ops[] = {&&add, &&sub, &&done};
            goto *ops[code[0] - '0'];
        add:
            a += 2;
            goto done;
        sub:
            a -= 5;
        done:
            a++;
        }
        #pragma omp section
        b = 3;
    }
    return a * b;
}

static int leave(int when)
{
    int a = 0, b = 0;
    #pragma omp parallel sections shared(a, b)
    {
        #pragma omp section
        a = when * 2;
        #pragma omp section
        {
            if (when > 3) {
                printf("leaving with %d\n", a);
                exit(5);
            }
            b = a + 1;
        }
    }
    return b;
}

int main(void)
{
    printf("%d\n", once(9));
    printf("%d %d %d\n", machine("0"), machine("1"), machine("2"));
    for (int i = 0;; i++)
        printf("%d\n", leave(i));
}
