/*
 * This file takes values out of the last section in source order, whichever
 * section finishes last: scalars, an array, a variable that is also firstprivate.
 */
#include <stdio.h>

int main(void)
{
    int turns = 4, kind = -1, table[4] = {0};
    double ratio = 0;

    for (int round = 0; round < 3; round++) {
        turns = 4 + round;
        #pragma omp parallel sections lastprivate(kind, table, ratio) firstprivate(turns) lastprivate(turns)
        {
            #pragma omp section
            {
                kind = 1;
                ratio = 0.5;
                for (int i = 0; i < 4; i++)
                    table[i] = i + turns;
            }
            #pragma omp section
            {
                int sum = 0;
                for (int i = 0; i < 3000; i++)
                    sum += i % 5;
                kind = 2;
                ratio = sum;
                table[0] = table[1] = table[2] = table[3] = 9;
            }
            #pragma omp section
            {
                kind = 3 + round;
                ratio = kind / 4.0;
                for (int i = 0; i < 4; i++)
                    table[i] = i * (round + 7);
                turns = 40 + round;
            }
        }
        printf("kind %d turns %d ratio %.2f table %d %d %d %d\n", kind, turns, ratio, table[0],
               table[1], table[2], table[3]);
    }
    return 0;
}
