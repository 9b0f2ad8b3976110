/* Floating point: chains and independent operations, single and double precision,
 * divisions, roots, conversions. */
#include "kernels.h"
#include <math.h>

static double x[SIZE], y[SIZE];
static float f[SIZE], g[SIZE];
static double m1[24][24], m2[24][24], m3[24][24];

static void fill(void)
{
	for (int i = 0; i < SIZE; i++) {
		x[i] = next() / 16777216.0;
		y[i] = next() / 16777216.0 + 0.5;
		f[i] = next() / 16777216.0f;
		g[i] = next() / 16777216.0f;
	}
	for (int i = 0; i < 24; i++)
		for (int j = 0; j < 24; j++) {
			m1[i][j] = next() / 16777216.0;
			m2[i][j] = next() / 16777216.0;
		}
}

KERNEL dot(long n)
{
	double s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s += x[i] * y[i];
	return (uint64_t)s;
}

KERNEL dotf(long n)
{
	float s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < SIZE; i++)
			s += f[i] * g[i];
		s *= 0.5f;
	}
	return (uint64_t)s;
}

KERNEL axpy(long n)
{
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			y[i] = 0.25 * x[i] + 0.75 * y[i];
	return (uint64_t)(y[7] * 1000);
}

KERNEL matrix(long n)
{
	fill();
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < 24; i++)
			for (int j = 0; j < 24; j++) {
				double s = 0;
				for (int k = 0; k < 24; k++)
					s += m1[i][k] * m2[k][j];
				m3[i][j] = s;
			}
		m1[r % 24][3] = m3[3][r % 24] / 24;
	}
	return (uint64_t)m3[5][7];
}

KERNEL horner(long n)
{
	double s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			double v = x[i];
			s += ((((0.1 * v + 0.2) * v + 0.3) * v + 0.4) * v + 0.5) * v + 0.6;
		}
	return (uint64_t)s;
}

KERNEL mandelbrot(long n)
{
	uint64_t steps = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 64; i++) {
			double cr = (i & 7) * 0.3 - 1.7, ci = (i >> 3) * 0.25 - 1 + (r & 7) * 0.01, zr = 0, zi = 0;
			int k = 0;
			while (k < 64 && zr * zr + zi * zi < 4) {
				double t = zr * zr - zi * zi + cr;
				zi = 2 * zr * zi + ci;
				zr = t;
				k++;
			}
			steps += k;
		}
	return steps;
}

KERNEL newton(long n)
{
	double s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			double v = 1;
			for (int k = 0; k < 4; k++)
				v = 0.5 * (v + y[i] / v);
			s += v;
		}
	return (uint64_t)s;
}

KERNEL ratios(long n)
{
	float s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < SIZE; i++)
			s += f[i] / (g[i] + 1.0f);
		s *= 0.25f;
	}
	return (uint64_t)s;
}

KERNEL distances(long n)
{
	double s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 1; i < SIZE; i++) {
			double dx = x[i] - x[i - 1], dy = y[i] - y[i - 1];
			s += sqrt(dx * dx + dy * dy);
		}
	return (uint64_t)s;
}

KERNEL butterflies(long n)
{
	fill();
	for (long r = 0; r < n; r++)
		for (int half = 1; half < SIZE / 2; half *= 2)
			for (int i = 0; i < SIZE / 2; i += 2 * half)
				for (int k = i; k < i + half; k++) {
					float tr = f[k + half] * 0.8f - g[k + half] * 0.6f, ti = f[k + half] * 0.6f + g[k + half] * 0.8f;
					f[k + half] = (f[k] - tr) * 0.70710678f;
					g[k + half] = (g[k] - ti) * 0.70710678f;
					f[k] = (f[k] + tr) * 0.70710678f;
					g[k] = (g[k] + ti) * 0.70710678f;
				}
	return (uint64_t)(f[3] * 1000);
}

KERNEL stencil(long n)
{
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 1; i < SIZE - 1; i++)
			y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) * 0.25 + (y[i - 1] > 1 ? 0.1 : 0);
	return (uint64_t)(y[9] * 1000);
}

KERNEL conversions(long n)
{
	int64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			int v = (int)(x[i] * 1000) + (int)(f[i] * 100.0f);
			s += v;
			g[i] = (float)(v & 255) * 0.01f;
			y[i] = (double)f[i] + v;
		}
	return s;
}

KERNEL series(long n)
{
	double s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 64; i++)
			s += sin(next() * 0x1p-20) * cos(next() * 0x1p-21); /* new each time: predictors learn the library's branches, too */
	return (uint64_t)(s * s);
}

KERNEL waves(long n)
{
	double s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 64; i++) {
			double v = sin(next() * 0x1p-22);
			s += v > 0.5 ? v : cos(v);
		}
	return (uint64_t)(s * s);
}

KERNEL norms(long n)
{
	double s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			y[i] = sqrt(x[i] + y[i] * 0.5);
	for (int i = 0; i < SIZE; i++)
		s += y[i];
	return (uint64_t)s;
}

MAIN({"waves", waves}, {"norms", norms}, {"dot", dot}, {"dotf", dotf}, {"axpy", axpy}, {"matrix", matrix}, {"horner", horner}, {"mandelbrot", mandelbrot}, {"newton", newton},
     {"ratios", ratios}, {"distances", distances}, {"butterflies", butterflies}, {"stencil", stencil}, {"conversions", conversions}, {"series", series})
