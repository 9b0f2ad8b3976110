/*
 * This file is the crossover of a loudspeaker: one finite-impulse-response filter,
 * called with few taps for the tweeter and with many for the woofer.
 *
 *   caller_cost tiny|small|large
 *
 * What is hard: a callee whose cost depends on its caller. Both sections call the
 * same function, which must not be inlined; in the first region one of them always
 * asks for eight times the work. In the second, the roles change from block to block
 * with a branch in the section, so that the paths differ, but not the callee's cost.
 *
 * What averages miss: a called function costs its average over all its calls, so
 * that the two sections seem equal and promise a speed-up of 2, where the woofer
 * alone decides. This holds for paths as well, since they end at the call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, MOST_TAPS = 64, FEW_TAPS = 8 };

static float in[BLOCK + MOST_TAPS], low[BLOCK], high[BLOCK], left[BLOCK], right[BLOCK];
static float long_taps[MOST_TAPS], short_taps[FEW_TAPS];
static unsigned random_state = 0x94d049bbu;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* A falling mean for the woofer, differences for the tweeter. */
static void prepare(void)
{
    for (int t = 0; t < MOST_TAPS; t++)
        long_taps[t] = (float)(MOST_TAPS - t) / (float)(MOST_TAPS * MOST_TAPS / 2);
    for (int t = 0; t < FEW_TAPS; t++)
        short_taps[t] = (t % 2 ? -0.5f : 0.5f) / (float)(1 + t);
}

/* The last samples of a block are the past of the next. */
static void next_block(int number)
{
    memcpy(in, in + BLOCK, MOST_TAPS * sizeof *in);
    for (int i = 0; i < BLOCK; i++)
        in[MOST_TAPS + i] = (float)((int)(next_random() % 2001) - 1000 + (number * 16 + i) % 512) / 1000;
}

__attribute__((noinline)) static void filter(const float *taps, int count, float *out)
{
    for (int i = 0; i < BLOCK; i++) {
        float sum = 0;
        for (int t = 0; t < count; t++)
            sum += taps[t] * in[MOST_TAPS + i - t];
        out[i] = sum;
    }
}

/* Woofer and tweeter: always heavy and light. */
static void crossover(void)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        filter(long_taps, MOST_TAPS, low);
        #pragma omp section
        filter(short_taps, FEW_TAPS, high);
    }
}

/* The rear speakers: the one away from the listener gets the simple filter. */
static void rear(int listener)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        if (listener < 0)
            filter(long_taps, MOST_TAPS, left);
        else
            filter(short_taps, FEW_TAPS, left);
        #pragma omp section
        if (listener < 0)
            filter(short_taps, FEW_TAPS, right);
        else
            filter(long_taps, MOST_TAPS, right);
    }
}

static int blocks(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 5000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 50000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 200;
    fprintf(stderr, "usage: caller_cost tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = blocks(argc, argv);
    double lows = 0, highs = 0, sides = 0;
    prepare();
    for (int n = 0; n < count; n++) {
        next_block(n);
        crossover();
        rear(n / 50 % 2 ? -1 : 1);
        for (int i = 0; i < BLOCK; i++) {
            lows += low[i] < 0 ? -low[i] : low[i];
            highs += high[i] < 0 ? -high[i] : high[i];
            sides += left[i] - right[i];
        }
    }
    printf("blocks %d low %.1f high %.1f sides %.1f\n", count, lows, highs, sides);
    return 0;
}
