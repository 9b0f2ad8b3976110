/*
 * This file has control flow of all kinds inside sections: nested loops with break,
 * continue and goto, a switch with fall-through, recursion, short circuits, and a
 * loop whose body calls a function.
 */
#include <stdio.h>

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int weight(int x)
{
    return x % 5 == 0 || (x % 3 == 0 && x % 2 == 0) ? 3 : 1;
}

int main(void)
{
    long first = 0, second = 0, third = 0, fourth = 0;
    for (int round = 0; round < 5; round++) {
        #pragma omp parallel sections num_threads(4)
        {
            #pragma omp section
            {
                for (int i = 0; i < 30; i++) {
                    for (int k = i;; k++) {
                        if (k * i > 200 + round)
                            break;
                        if (k > 60)
                            goto next;
                        first += weight(k);
                    }
                    if (i % 4 == round)
                        continue;
                    first++;
                next:;
                }
            }
            #pragma omp section
            {
                int x = round + 20;
                while (x > 0) {
                    switch (x % 6) {
                    case 0: second += 5; /* fall through */
                    case 1: second += 1; break;
                    case 2: x--; /* fall through */
                    case 3: x--; break;
                    case 5: second ^= 9;
                    }
                    x--;
                }
            }
            #pragma omp section
            {
                third += ackermann(2, round);
                do
                    third += weight((int)third);
                while (third % 13 != 0);
            }
            #pragma omp section
            {
                int x = round;
            again:
                fourth += x;
                if (++x < 10 && (x % 7 || round > 2))
                    goto again;
            }
        }
    }
    printf("first %ld second %ld third %ld fourth %ld\n", first, second, third, fourth);
    return 0;
}
