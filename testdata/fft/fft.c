/*
 * This file computes spectra of a generated signal with a fast Fourier transform
 * that is split by decimation in time into sections: two halves, and each half
 * into two quarters again (nested parallel regions).
 *
 *   fft [BLOCKS [LOG2_LENGTH]]     default: 7200 12
 *
 * Correlation. None: all leaves do the same work on every block, whatever the
 * data. The only variation is the window: one block in eight is silent and its
 * transform is skipped as a whole, for all sections alike.
 *
 * Expectation. PB, AT and MT nearly agree. With two processors the outer sections
 * give close to 2 minus the serial part (signal, combination of the halves,
 * power spectrum); four processors pay off only where the nested region is mapped
 * too. MT is pessimistic by the silent blocks' share, for it takes every block to be
 * a sounding one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LOG2 = 15 };

typedef struct {
    double re, im;
} complex_number;

static complex_number *roots; /* exp(-2 pi i k / length), k < length / 2 */
static unsigned random_state = 97u;

static double next_noise(void)
{
    random_state = random_state * 1103515245u + 12345u;
    return (double)(random_state >> 16 & 0x7fff) / 16384.0 - 1.0;
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "fft: no memory for %zu numbers\n", count);
        exit(1);
    }
    return memory;
}

static void make_roots(int length)
{
    const double pi = 3.14159265358979323846;
    roots = reserve((size_t)length / 2, sizeof *roots);
    for (int k = 0; k < length / 2; k++) {
        roots[k].re = cos(2 * pi * k / length);
        roots[k].im = -sin(2 * pi * k / length);
    }
}

/* A sum of three tones and noise; silent blocks are all zero. */
static int make_signal(complex_number *x, int length, int number)
{
    int silent = number % 8 == 5;
    int tone = 3 + number * 7 % (length / 4);
    for (int i = 0; i < length; i++) {
        x[i].im = 0;
        if (silent) {
            x[i].re = 0;
            continue;
        }
        int k = (int)((long)tone * i % length), half = length / 2;
        x[i].re = (k < half ? roots[k].re : -roots[k - half].re) + 0.01 * next_noise();
    }
    return silent;
}

static unsigned reversed(unsigned i, int bits)
{
    unsigned r = 0;
    for (int b = 0; b < bits; b++) {
        r = r << 1 | (i & 1);
        i >>= 1;
    }
    return r;
}

/* Transforms length values that lie stride apart into out; iterative. stride is
 * also the factor by which the full table of roots is finer than needed. */
static void transform_leaf(const complex_number *in, complex_number *out, int length, int stride,
                           int full_length)
{
    int bits = 0;
    while (1 << bits < length)
        bits++;
    for (int i = 0; i < length; i++)
        out[reversed((unsigned)i, bits)] = in[(long)i * stride];
    for (int half = 1; half < length; half *= 2) {
        int step = full_length / (2 * half);
        for (int start = 0; start < length; start += 2 * half)
            for (int k = 0; k < half; k++) {
                complex_number w = roots[k * step], a = out[start + k], b = out[start + k + half];
                double re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
                out[start + k].re = a.re + re;
                out[start + k].im = a.im + im;
                out[start + k + half].re = a.re - re;
                out[start + k + half].im = a.im - im;
            }
    }
}

/* Combines the transforms of the even and the odd values, which lie one after the
 * other in out. */
static void combine(complex_number *out, int length, int full_length)
{
    int half = length / 2, step = full_length / length;
    for (int k = 0; k < half; k++) {
        complex_number w = roots[k * step], a = out[k], b = out[k + half];
        double re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
        out[k].re = a.re + re;
        out[k].im = a.im + im;
        out[k + half].re = a.re - re;
        out[k + half].im = a.im - im;
    }
}

static void transform_half(const complex_number *in, complex_number *out, int length, int stride,
                           int full_length)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        transform_leaf(in, out, length / 2, 2 * stride, full_length);
        #pragma omp section
        transform_leaf(in + stride, out + length / 2, length / 2, 2 * stride, full_length);
    }
    combine(out, length, full_length);
}

static void transform(const complex_number *in, complex_number *out, int length)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        transform_half(in, out, length / 2, 2, length);
        #pragma omp section
        transform_half(in + 1, out + length / 2, length / 2, 2, length);
    }
    combine(out, length, length);
}

/* The inverse, through the conjugate of both sides. */
static double error_of_inverse(const complex_number *signal, const complex_number *spectrum,
                               complex_number *work, complex_number *back, int length)
{
    double worst = 0;
    for (int i = 0; i < length; i++) {
        work[i].re = spectrum[i].re;
        work[i].im = -spectrum[i].im;
    }
    transform(work, back, length);
    for (int i = 0; i < length; i++) {
        double off = fabs(back[i].re / length - signal[i].re) + fabs(back[i].im / length);
        if (off > worst)
            worst = off;
    }
    return worst;
}

static int strongest(const complex_number *spectrum, int length, double *power)
{
    int best = 0;
    *power = 0;
    for (int k = 0; k < length / 2; k++) {
        double p = spectrum[k].re * spectrum[k].re + spectrum[k].im * spectrum[k].im;
        if (p > *power) {
            *power = p;
            best = k;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 7200;
    int bits = argc > 2 ? atoi(argv[2]) : 12;
    if (bits < 4 || bits > LARGEST_LOG2) {
        fprintf(stderr, "fft: the length's logarithm must be 4 to %d\n", LARGEST_LOG2);
        return 2;
    }
    int length = 1 << bits, silent = 0, missed = 0;
    long tones = 0;
    double total = 0, worst = 0;

    complex_number *signal = reserve((size_t)length, sizeof *signal);
    complex_number *spectrum = reserve((size_t)length, sizeof *spectrum);
    complex_number *work = reserve((size_t)length, sizeof *work);
    complex_number *back = reserve((size_t)length, sizeof *back);
    make_roots(length);
    for (int n = 0; n < blocks; n++) {
        double power;
        if (make_signal(signal, length, n)) {
            silent++;
            continue;
        }
        transform(signal, spectrum, length);
        int tone = strongest(spectrum, length, &power);
        tones += tone;
        total += sqrt(power) / length;
        missed += tone != 3 + n * 7 % (length / 4);
        if (n % 16 == 0) {
            double off = error_of_inverse(signal, spectrum, work, back, length);
            if (off > worst)
                worst = off;
        }
    }
    printf("blocks %d silent %d tones %ld amplitude %.4f\n", blocks, silent, tones, total);
    printf("missed %d inverse %s\n", missed, worst < 1e-9 ? "exact" : "wrong");
    free(back);
    free(work);
    free(spectrum);
    free(signal);
    free(roots);
    return missed != 0 || worst >= 1e-9;
}
