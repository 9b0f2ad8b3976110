/*
 * This file nests exceptions: rethrow, throw from a handler, handlers inside
 * handlers and in loops, a function try block, exception_ptr, and a destructor
 * that catches its own exception during unwinding.
 */
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace {

int swallowed = 0;

struct Careful {
    int n;
    ~Careful()
    {
        try {
            if (n % 2)
                throw n;
        } catch (int) {
            swallowed++;
        }
    }
};

int leaf(int n)
{
    Careful c{n};
    if (n % 3 == 0)
        throw std::out_of_range("leaf");
    if (n % 5 == 0)
        throw n;
    return n;
}

int middle(int n)
{
    try {
        return leaf(n);
    } catch (const std::logic_error &) {
        if (n % 2 == 0)
            throw; /* the same exception goes on */
        throw std::runtime_error("translated");
    } catch (int x) {
        try {
            return leaf(x + 1);
        } catch (const std::out_of_range &) {
            return -x;
        }
    }
}

struct Member {
    int value;
    explicit Member(int n)
    try : value(middle(n)) {
    } catch (const std::runtime_error &) {
        throw; /* a constructor's handler always rethrows */
    }
};

int loop(int from, int to)
{
    int sum = 0;
    for (int n = from; n < to; n++) {
        try {
            Member m(n);
            if (m.value < 0)
                continue;
            sum += m.value;
            if (sum > 3000)
                break;
        } catch (const std::out_of_range &) {
            sum += 10;
        } catch (const std::runtime_error &) {
            std::exception_ptr kept = std::current_exception();
            try {
                std::rethrow_exception(kept);
            } catch (const std::exception &) {
                sum += 100;
            }
        }
    }
    return sum;
}

int depth(int n)
{
    if (n == 0)
        throw 7;
    try {
        return depth(n - 1);
    } catch (int x) {
        if (n % 4 == 0)
            throw x + n;
        throw;
    }
}

} // namespace

int main()
{
    std::printf("loop %d\n", loop(0, 60));
    std::printf("loop %d\n", loop(60, 200));
    try {
        depth(20);
    } catch (int x) {
        std::printf("depth %d\n", x);
    }
    std::printf("swallowed %d\n", swallowed);
    return 0;
}
