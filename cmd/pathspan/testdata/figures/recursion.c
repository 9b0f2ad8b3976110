/*
 * This file divides and conquers: a function whose sections call it again.
 */
static volatile unsigned sink;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void conquer(int depth, int n)
{
    if (depth == 0) {
        add(n);
        return;
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        conquer(depth - 1, n * 2 / 3);
        #pragma omp section
        conquer(depth - 1, n / 3);
    }
    add(n / 10);
}

int main(void)
{
    for (int r = 1; r <= 8; r++)
        conquer(4, 500 * r);
    return 0;
}
