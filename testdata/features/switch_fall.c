/*
 * This file holds switches: many cases that share a target, fall-through into
 * other cases, a case inside an inner loop of the switch (Duff's device), and two
 * successors of one switch that meet in one block with different values.
 */
#include <stdio.h>

static int classify(int c)
{
    int score = 0;
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
        score += 1;
        /* fall through */
    case 'y':
        score += 2;
        break;
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
        return c - '0';
    case ' ': case '\t': case '\n':
        score = -1;
        break;
    case 'q':
        score = 9;
        /* fall through */
    case 'x':
        score++;
        /* fall through */
    case 'z':
        score *= 2;
        /* fall through */
    default:
        score += 5;
    }
    return score;
}

static int shared_target(int k)
{
    int value;
    switch (k & 7) {
    case 0: case 3: case 5: value = 1; break;
    case 1: case 6: value = 2; break;
    case 7: value = 4; break;
    default: value = 1;
    }
    return value;
}

static int copy_unrolled(int *to, const int *from, int count)
{
    if (count <= 0)
        return 0;
    int rounds = (count + 3) / 4, turns = 0;
    switch (count % 4) {
    case 0:
        do {
            turns++;
            *to++ = *from++;
            /* fall through */
        case 3:
            *to++ = *from++;
            /* fall through */
        case 2:
            *to++ = *from++;
            /* fall through */
        case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
    return turns;
}

int main(void)
{
    long sum = 0;
    for (int round = 0; round < 3; round++)
        for (int c = 0; c < 256; c++)
            sum = (sum * 31 + classify(c)) % 1000003;
    printf("classify %ld\n", sum);
    for (int k = 0; k < 100; k++)
        sum = (sum * 3 + shared_target(k * 5)) % 1000003;
    printf("shared %ld\n", sum);
    int from[64], to[64] = {0};
    for (int i = 0; i < 64; i++)
        from[i] = i * i;
    for (int n = 0; n <= 40; n++) {
        sum += copy_unrolled(to, from, n);
        sum = (sum * 7 + (n ? to[n - 1] : 0)) % 1000003;
    }
    printf("unrolled %ld\n", sum);
    return 0;
}
