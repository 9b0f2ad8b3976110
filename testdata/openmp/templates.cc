/*
 * This file has regions in templates, lambdas, overloads and constructors: one
 * source line makes regions in several functions.
 */
#include <cstdio>
#include <numeric>
#include <vector>

template <typename T, int Factor>
static T both_ends(const std::vector<T> &v)
{
    T front = 0, back = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        for (std::size_t i = 0; i < v.size() / 2; i++)
            front += v[i] * Factor;
        #pragma omp section
        for (std::size_t i = v.size() / 2; i < v.size(); i++)
            back += v[i];
    }
    return front - back;
}

struct Built {
    long a = 0, b = 0;
    explicit Built(int n)
    {
        #pragma omp parallel sections
        {
            #pragma omp section
            for (int i = 0; i < n; i++)
                a += i;
            #pragma omp section
            b = n * 2L;
        }
    }
};

static int overloaded(int n)
{
    int x = 0, y = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        x = n + 1;
        #pragma omp section
        y = n + 2;
    }
    return x * y;
}

static double overloaded(double d)
{
    double x = 0, y = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        x = d / 2;
        #pragma omp section
        y = d / 4;
    }
    return x + y;
}

int main()
{
    std::vector<int> ints(100);
    std::iota(ints.begin(), ints.end(), 1);
    std::vector<double> doubles(ints.begin(), ints.end());
    std::printf("ints %d %d doubles %.2f\n", both_ends<int, 1>(ints), both_ends<int, 3>(ints),
                both_ends<double, 2>(doubles));
    auto inside = [&ints](int k) {
        int low = 0, high = 0;
        #pragma omp parallel sections
        {
            #pragma omp section
            low = ints[static_cast<std::size_t>(k)];
            #pragma omp section
            for (int x : ints)
                high += x > k;
        }
        return low * 1000 + high;
    };
    Built built(20);
    std::printf("lambda %d %d built %ld %ld\n", inside(3), inside(40), built.a, built.b);
    std::printf("overloaded %d %.3f\n", overloaded(6), overloaded(6.5));
    return 0;
}
