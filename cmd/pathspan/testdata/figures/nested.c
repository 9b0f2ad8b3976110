/*
 * This file has regions within regions: one in a function that sections call, as does
 * code outside of all sections, and one of two sections constructs.
 */
static volatile unsigned sink;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void halves(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        add(n);
        #pragma omp section
        add(n / 3);
    }
    add(10);
}

int main(void)
{
    for (int r = 0; r < 12; r++) {
        #pragma omp parallel
        {
            #pragma omp sections
            {
                #pragma omp section
                halves(900 + 50 * r);
                #pragma omp section
                add(300);
                #pragma omp section
                halves(200);
            }
            #pragma omp sections
            {
                #pragma omp section
                add(400);
                #pragma omp section
                add(r % 3 ? 100 : 700);
            }
        }
        if (r % 4 == 0)
            halves(50);
    }
    return 0;
}
