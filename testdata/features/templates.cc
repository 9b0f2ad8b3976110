/*
 * This file instantiates templates: the same source lines become several
 * functions, recursion happens at compile time, overloads and operators carry
 * mangled names, and inline variables and functions are merged by the linker.
 */
#include <array>
#include <cstdio>

namespace shapes::detail {

template <unsigned N>
struct Power {
    static long of(long x)
    {
        if constexpr (N == 0)
            return 1;
        else if constexpr (N % 2 == 0)
            return Power<N / 2>::of(x * x % 10007);
        else
            return x * Power<N - 1>::of(x) % 10007;
    }
};

template <typename T, std::size_t N>
class Ring {
public:
    void push(T x)
    {
        if (used_ == N)
            first_ = (first_ + 1) % N;
        else
            used_++;
        items_[(first_ + used_ - 1) % N] = x;
    }
    template <typename F>
    T fold(T start, F f) const
    {
        for (std::size_t i = 0; i < used_; i++)
            start = f(start, items_[(first_ + i) % N]);
        return start;
    }

private:
    std::array<T, N> items_{};
    std::size_t first_ = 0, used_ = 0;
};

struct Vec {
    long x, y;
    friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
    friend Vec operator*(Vec a, long k) { return {a.x * k % 1009, a.y * k % 1009}; }
    explicit operator bool() const { return x != 0 || y != 0; }
};

template <typename... T>
long sum_of(T... values)
{
    return (0L + ... + static_cast<long>(values));
}

inline int instances = 0;

} // namespace shapes::detail

using namespace shapes::detail;

template <typename T>
static T limit(T x, T low, T high)
{
    instances++;
    if (x < low)
        return low;
    return x > high ? high : x;
}

int main()
{
    long powers = 0;
    for (long x = 0; x < 50; x++)
        powers += Power<13>::of(x) + Power<6>::of(x);
    std::printf("powers %ld\n", powers);
    Ring<int, 5> small;
    Ring<double, 8> large;
    for (int i = 0; i < 40; i++) {
        small.push(limit(i * i % 23, 3, 20));
        large.push(limit(i * 0.75, 1.0, 25.0));
    }
    std::printf("small %d large %.2f\n", small.fold(0, [](int a, int b) { return a * 2 + b; }),
                large.fold(0.0, [](double a, double b) { return a + b; }));
    Vec v{1, 2};
    int turns = 0;
    while (v && turns < 300) {
        v = v * 5 + Vec{turns % 3, 1};
        turns++;
    }
    std::printf("vec %ld %ld sum %ld instances %d\n", v.x, v.y, sum_of(1, 2.9, 'a', 4L), instances);
    return 0;
}
