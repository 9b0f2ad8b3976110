#include <stdio.h>
int total;
static int work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i & 3 ? i : total;
	return s;
}
int main(int argc, char **argv)
{
	int a = 1, b = argc, c = 0;
#pragma omp parallel sections firstprivate(b) lastprivate(c) num_threads(2)
	{
#pragma omp section
		a = work(b);
#pragma omp section
		{
			c = work(a + 7);
#pragma omp critical
			total += c;
		}
	}
#pragma omp parallel private(b) if (argc > 1)
	{
#pragma omp sections nowait
		{
#pragma omp section
			total += a;
#pragma omp section
#pragma omp parallel sections reduction(+ : a)
			{
#pragma omp section
				a += 2;
#pragma omp section
				a += work(3);
			}
		}
#pragma omp single
		b = 3;
	}
	return printf("%d %d %d\n", a, c, total) < 0;
}
