/*
 * This file has a main that never returns, and calls that may throw on the way to the
 * end: paths are under way when the program ends.
 */
#include <cstdlib>
#include <stdexcept>

static volatile unsigned sink;
static volatile int wrong;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void step(int r)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        add(400 + r);
        #pragma omp section
        add(100);
    }
    if (wrong)
        throw std::runtime_error("wrong");
    if (r == 50)
        std::exit(3);
}

int main()
{
    for (int r = 0;; r++)
        step(r);
}
