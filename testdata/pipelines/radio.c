/*
 * A radio receiver: samples of an aerial are mixed down to a channel, thinned out by a filter,
 * demodulated, and made into sound. radio.plan.yaml makes a pipeline of blocks of samples.
 *
 * What is hard on an estimate: all stages but one keep something from block to block, so that no
 * stage can be spread; the filter takes most, and always the same, and the others come in its
 * shadow until the station is silent, when sound is skipped. All numbers are whole.
 *
 * Usage: radio [BLOCKS]
 */
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 256, TAPS = 24, LESS = 4, FEWER = SAMPLES / LESS, SOUND = 12, PLACES = 6 };

typedef struct { int re[SAMPLES], im[SAMPLES]; } block;
typedef struct { int re[FEWER], im[FEWER]; } thin;
typedef struct { int at[FEWER], loud; } signal;

static block aerial[PLACES], mixed[PLACES];
static thin channel[PLACES];
static signal phases[PLACES], sounds[PLACES];

/* ---- waves: sines of 256 steps a turn, times 1000, by a recurrence ---- */

static int wave[256];

static void make_wave(void)
{
    long long s = 0, c = 1000000000; /* 1e9 times */
    for (int k = 0; k < 256; k++) {
        wave[k] = (int)(s / 1000000);
        long long t = (s * 999698819 + c * 24541229) / 1000000000;
        c = (c * 999698819 - s * 24541229) / 1000000000;
        s = t;
    }
}

/* ---- stages ---- */

static unsigned seed = 99, carrier, tone;

/* receive makes a station whose sound comes and goes, and noise. */
static void receive(block *to, int number)
{
    int silent = number / 6 % 4 == 3;
    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525u + 1013904223u;
        tone += 3;
        carrier += 50u * 256 + (silent ? 0u : (unsigned)(wave[tone & 255] * 5 + 6000));
        int n = (int)(seed >> 25) - 64;
        to->re[i] = (silent ? 0 : wave[(carrier / 256 + 64) & 255]) + n;
        to->im[i] = (silent ? 0 : wave[carrier / 256 & 255]) - n;
    }
}

static unsigned turned;

static void mix(block *to, const block *from)
{
    for (int i = 0; i < SAMPLES; i++) {
        int c = wave[(turned + 64) & 255], s = wave[turned & 255];
        turned -= 50;
        to->re[i] = (from->re[i] * c - from->im[i] * s) / 1000;
        to->im[i] = (from->re[i] * s + from->im[i] * c) / 1000;
    }
}

static int past_re[TAPS + SAMPLES], past_im[TAPS + SAMPLES];

/* decimate keeps each fourth sample of what a filter lets through. */
static void decimate(thin *to, const block *from)
{
    for (int i = 0; i < SAMPLES; i++) {
        past_re[TAPS + i] = from->re[i];
        past_im[TAPS + i] = from->im[i];
    }
    for (int k = 0; k < FEWER; k++) {
        int re = 0, im = 0;
        for (int t = 0; t < TAPS; t++) {
            int weight = t < TAPS / 2 ? t + 1 : TAPS - t;
            re += weight * past_re[k * LESS + t];
            im += weight * past_im[k * LESS + t];
        }
        to->re[k] = re / 156;
        to->im[k] = im / 156;
    }
    for (int t = 0; t < TAPS; t++) {
        past_re[t] = past_re[SAMPLES + t];
        past_im[t] = past_im[SAMPLES + t];
    }
}

/* angle is that of a vector, 65536 a turn, found by turning it until it is level (CORDIC). */
static int angle(int re, int im)
{
    static const int steps[12] = {8192, 4836, 2555, 1297, 651, 326, 163, 81, 41, 20, 10, 5};
    int at = 0;
    if (re < 0) {
        re = -re;
        im = -im;
        at = 32768;
    }
    re *= 64;
    im *= 64;
    for (int k = 0; k < 12 && im; k++) {
        int r = re;
        if (im > 0) {
            re += im >> k;
            im -= r >> k;
            at += steps[k];
        } else {
            re -= im >> k;
            im += r >> k;
            at -= steps[k];
        }
    }
    return at & 65535;
}

static int before;

static void demodulate(signal *to, const thin *from)
{
    int power = 0;
    for (int k = 0; k < FEWER; k++)
        power += (from->re[k] * from->re[k] + from->im[k] * from->im[k]) / 64;
    to->loud = power > FEWER * 1000;
    for (int k = 0; k < FEWER; k++) {
        int a = to->loud ? angle(from->re[k], from->im[k]) : before;
        to->at[k] = (short)(a - before);
        before = a;
    }
}

/* soften takes what is shrill out of a block of sound by itself, each sample by those around it. */
static void soften(signal *to, const signal *from)
{
    to->loud = from->loud;
    for (int k = 0; k < FEWER && from->loud; k++) {
        int sum = 0;
        for (int t = -SOUND; t <= SOUND; t++) {
            int at = k + t < 0 ? 0 : k + t >= FEWER ? FEWER - 1 : k + t;
            sum += from->at[at] * (SOUND + 1 - (t < 0 ? -t : t));
        }
        to->at[k] = sum / ((SOUND + 1) * (SOUND + 1));
    }
}

static unsigned heard;
static int quiet;

static void play(const signal *from)
{
    if (!from->loud) {
        quiet++;
        return;
    }
    for (int k = 0; k < FEWER; k++)
        heard = heard * 33u + (unsigned)(from->at[k] / 16);
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 200;
    make_wave();
    for (int n = 0; n < blocks; n++) {
        receive(&aerial[n % PLACES], n);
        mix(&mixed[n % PLACES], &aerial[n % PLACES]);
        decimate(&channel[n % PLACES], &mixed[n % PLACES]);
        demodulate(&phases[n % PLACES], &channel[n % PLACES]);
        soften(&sounds[n % PLACES], &phases[n % PLACES]);
        play(&sounds[n % PLACES]);
    }
    printf("%d blocks, %d quiet, %08x\n", blocks, quiet, heard);
    return 0;
}
