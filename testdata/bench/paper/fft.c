/*
 * This file takes the spectrum of frames of a signal by the fast Fourier transform
 * and describes it: power, phase and band energies.
 *
 *   fft tiny|small|large
 *
 * Structure (paper, Table 4: fft, 2 regions, 7 tasks): the four interleaved
 * quarters of a frame are transformed in four sections, then combined by one
 * thread; three sections describe the spectrum, each in its own way.
 *
 * Correlation: none. The three describing tasks differ in weight, but always in
 * the same way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1024, QUARTER = POINTS / 4, BITS = 8, BANDS = 16 };

typedef struct {
    double re, im;
} complex_number;

static complex_number part[4][QUARTER], spectrum[POINTS], twiddle[POINTS];
static double signal_frame[POINTS], power[POINTS / 2], phase[POINTS / 2], band[BANDS];
static unsigned random_state = 0x9e3779b9u;

static double random_unit(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state / 4294967296.0;
}

static complex_number multiply(complex_number a, complex_number b)
{
    complex_number c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}

static void prepare_twiddles(void)
{
    for (int k = 0; k < POINTS; k++) {
        double angle = -2 * 3.14159265358979323846 * k / POINTS;
        twiddle[k].re = cos(angle);
        twiddle[k].im = sin(angle);
    }
}

/* Three tones with noise on them. */
static void make_frame(int number)
{
    int low = 5 + number % 60, high = 150 + number % 300;
    for (int i = 0; i < POINTS; i++)
        signal_frame[i] = twiddle[i * low % POINTS].im + 0.5 * twiddle[i * high % POINTS].re +
                          0.1 * (random_unit() - 0.5);
}

static int reversed(int index)
{
    int result = 0;
    for (int b = 0; b < BITS; b++)
        result |= ((index >> b) & 1) << (BITS - 1 - b);
    return result;
}

/* Radix 2, decimation in time, of every fourth point from offset on. */
static void transform_quarter(complex_number *x, int offset)
{
    for (int i = 0; i < QUARTER; i++) {
        x[reversed(i)].re = signal_frame[4 * i + offset];
        x[reversed(i)].im = 0;
    }
    for (int half = 1; half < QUARTER; half *= 2) {
        int stride = POINTS / (2 * half);
        for (int start = 0; start < QUARTER; start += 2 * half)
            for (int k = 0; k < half; k++) {
                complex_number odd = multiply(x[start + half + k], twiddle[k * stride]);
                complex_number even = x[start + k];
                x[start + k].re = even.re + odd.re;
                x[start + k].im = even.im + odd.im;
                x[start + half + k].re = even.re - odd.re;
                x[start + half + k].im = even.im - odd.im;
            }
    }
}

static void transform_quarters(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        transform_quarter(part[0], 0);
        #pragma omp section
        transform_quarter(part[1], 1);
        #pragma omp section
        transform_quarter(part[2], 2);
        #pragma omp section
        transform_quarter(part[3], 3);
    }
}

/* The last two stages as one of radix 4. */
static void combine(void)
{
    for (int k = 0; k < POINTS; k++) {
        complex_number sum = part[0][k % QUARTER];
        for (int q = 1; q < 4; q++) {
            complex_number term = multiply(part[q][k % QUARTER], twiddle[q * k % POINTS]);
            sum.re += term.re;
            sum.im += term.im;
        }
        spectrum[k] = sum;
    }
}

static void describe(void)
{
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        for (int k = 0; k < POINTS / 2; k++)
            power[k] = spectrum[k].re * spectrum[k].re + spectrum[k].im * spectrum[k].im;
        #pragma omp section
        for (int k = 0; k < POINTS / 2; k++)
            phase[k] = atan2(spectrum[k].im, spectrum[k].re);
        #pragma omp section
        for (int b = 0; b < BANDS; b++) {
            double energy = 0;
            for (int k = b * POINTS / 2 / BANDS; k < (b + 1) * POINTS / 2 / BANDS; k++)
                energy += sqrt(spectrum[k].re * spectrum[k].re + spectrum[k].im * spectrum[k].im);
            band[b] = energy;
        }
    }
}

/* Parseval: the power of the frame and of its spectrum are the same. */
static int faulty(void)
{
    double in_time = 0, in_spectrum = power[0];
    for (int i = 0; i < POINTS; i++)
        in_time += signal_frame[i] * signal_frame[i];
    for (int k = 1; k < POINTS / 2; k++)
        in_spectrum += 2 * power[k];
    in_spectrum += spectrum[POINTS / 2].re * spectrum[POINTS / 2].re;
    return fabs(in_time * POINTS - in_spectrum) > 1e-6 * in_spectrum;
}

static int frames(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 2000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 20000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 80;
    fprintf(stderr, "usage: fft tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = frames(argc, argv), faults = 0;
    double low = 0, high = 0, turning = 0;
    prepare_twiddles();
    for (int n = 0; n < count; n++) {
        make_frame(n);
        transform_quarters();
        combine();
        describe();
        faults += faulty();
        low += band[0] + band[1];
        high += band[BANDS - 1];
        turning += fabs(phase[5 + n % 60]);
    }
    printf("frames %d low %.2f high %.2f phase %.2f faults %d\n", count, low, high, turning, faults);
    return faults != 0;
}
