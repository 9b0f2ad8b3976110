/*
 * This file throws: out of nested calls and loops, past objects with destructors
 * (cleanup landing pads), into handlers by type, by base class and catch-all, and
 * out of a constructor half done.
 */
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

int alive = 0;
int cleaned = 0;

struct Guard {
    int weight;
    explicit Guard(int w) : weight(w)
    {
        if (w % 13 == 12)
            throw w;
        alive++;
    }
    ~Guard()
    {
        alive--;
        cleaned += weight & 3;
    }
};

struct Fault : std::runtime_error {
    explicit Fault(int c) : std::runtime_error("fault"), code(c) {}
    int code;
};

int risky(int n)
{
    Guard first(n);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        Guard inner(n + i);
        if ((n + i) % 7 == 3)
            throw Fault(n);
        if ((n + i) % 11 == 5)
            throw std::string("text");
        if (n % 17 == 1 && i == 2)
            throw 3.5;
        sum += inner.weight;
    }
    return sum;
}

struct Pair {
    Guard a, b;
    explicit Pair(int n) : a(n), b(n + 1) {}
};

int handled(int n)
{
    try {
        Pair pair(n);
        return risky(n) + pair.b.weight;
    } catch (const Fault &f) {
        return 1000 + f.code;
    } catch (const std::exception &) {
        return 2000;
    } catch (int w) {
        return 3000 + w;
    } catch (const std::string &s) {
        return 4000 + static_cast<int>(s.size());
    } catch (...) {
        return 5000;
    }
}

} // namespace

int main()
{
    long sum = 0;
    int kinds[6] = {0};
    for (int n = 0; n < 200; n++) {
        int result = handled(n);
        sum = sum * 3 % 1000003 + result;
        kinds[result < 1000 ? 0 : result / 1000 > 5 ? 5 : result / 1000]++;
    }
    std::printf("sum %ld alive %d cleaned %d\n", sum, alive, cleaned);
    for (int k : kinds)
        std::printf("%d ", k);
    std::printf("\n");
    return alive;
}
