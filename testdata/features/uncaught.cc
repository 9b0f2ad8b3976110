/*
 * This file throws an exception that nobody catches, from a loop two calls deep:
 * std::terminate ends the program by SIGABRT.
 */
#include <cstdio>
#include <stdexcept>

static int consume(int budget)
{
    int spent = 0;
    for (int i = 1;; i++) {
        spent += i % 3 + 1;
        if (spent > budget)
            throw std::runtime_error("over budget");
        if (i == 30)
            return spent;
    }
}

int main()
{
    int total = 0;
    for (int budget = 100; budget > 0; budget -= 15) {
        total += consume(budget);
        std::printf("total %d\n", total);
        std::fflush(stdout);
    }
    return 0;
}
