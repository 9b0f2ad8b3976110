// This program has regions that are hard to tell apart by name: in overloads, instances of
// templates, lambdas, both versions of a constructor, and several at one place by a macro,
// within each other too.
#include <cstdio>

static long sums[4];

static void add(int i, long x)
{
    sums[i] = (sums[i] * 7 + x) % 100003;
}

#define PRAGMA(text) _Pragma(#text)
#define BOTH(a, b) PRAGMA(omp parallel sections) { PRAGMA(omp section) { a; } PRAGMA(omp section) { b; } }
#define WITHIN(x) BOTH(BOTH(add(0, x), add(1, x)), add(2, x)) BOTH(add(3, x), add(2, 2 * x))

namespace shapes {

void measure(int x)
{
    BOTH(add(0, x), add(1, 2 * x))
}

void measure(double x)
{
    BOTH(add(2, static_cast<long>(x)), add(3, 3))
    BOTH(add(0, 5), add(1, static_cast<long>(4 * x)))
}

template <class T, int N> void scale(T x)
{
    BOTH(add(0, static_cast<long>(x * N)), add(1, N))
    if constexpr (N > 2) {
        BOTH(add(2, N), add(3, static_cast<long>(x)))
    }
}

struct Virtual {
};

struct Base : virtual Virtual {
    Base()
    {
        BOTH(add(0, 11), add(1, 12))
    }
    template <int N> void step()
    {
        BOTH(add(2, N), add(3, 2 * N))
    }
    bool operator==(const Base &) const
    {
        BOTH(add(0, 21), add(2, 22))
        return true;
    }
};

struct Derived : Base {
};

} // namespace shapes

namespace {

struct Hidden {
    ~Hidden()
    {
        BOTH(add(1, 31), add(3, 32))
    }
};

} // namespace

int main()
{
    shapes::measure(3);
    shapes::measure(4.5);
    shapes::scale<int, 2>(5);
    shapes::scale<int, 3>(6);
    shapes::scale<double, 2>(7.5);
    shapes::Base base;
    shapes::Derived derived;
    base.step<1>();
    base.step<2>();
    if (base == derived)
        add(0, 1);
    {
        Hidden hidden;
    }
    WITHIN(9) WITHIN(10)
    auto plain = [](int x) { BOTH(add(0, x), add(3, x)) };
    auto generic = [](auto x) {
        BOTH(add(1, static_cast<long>(x)), add(2, 6))
    };
    plain(13);
    generic(14);
    generic(15.5);
    #pragma omp parallel
    {
        #pragma omp sections
        {
            #pragma omp section
            add(0, 41);
            #pragma omp section
            add(1, 42);
        }
        #pragma omp sections
        {
            #pragma omp section
            add(2, 43);
        }
    }
    std::printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
