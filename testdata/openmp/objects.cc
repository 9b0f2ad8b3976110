/*
 * This file has C++ in sections: objects with destructors, exceptions thrown and
 * caught inside a section, early continue past destructors, references, lambdas,
 * and a private object that is constructed and destroyed once per thread.
 */
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Tally {
    long *where;
    long sum = 0;
    explicit Tally(long *to) : where(to) {}
    ~Tally() { *where += sum; }
    Tally(const Tally &) = delete;
    Tally &operator=(const Tally &) = delete;
};

int parse(const std::string &s)
{
    int value = 0;
    for (char c : s) {
        if (c < '0' || c > '9')
            throw std::invalid_argument(s);
        value = value * 10 + (c - '0');
    }
    return value;
}

class Store {
public:
    explicit Store(int n) : items_(static_cast<std::size_t>(n), n) {}
    /* A region in a member function: the sections use this. */
    long process(int bias)
    {
        long up = 0, down = 0;
        #pragma omp parallel sections num_threads(2)
        {
            #pragma omp section
            for (std::size_t i = 0; i < items_.size(); i++)
                up += items_[i] + static_cast<long>(i);
            #pragma omp section
            {
                last_ = bias;
                for (auto it = items_.rbegin(); it != items_.rend(); ++it)
                    down += *it * last_;
            }
        }
        return up - down;
    }

private:
    std::vector<int> items_;
    long last_ = 0;
};

struct Copied {
    int v = 5;
};

} // namespace

int main()
{
    long good = 0, evens = 0, caught = 0, lambda_sum = 0;
    std::string kept;
    Copied copied;

    for (int round = 0; round < 3; round++) {
        #pragma omp parallel sections num_threads(3) firstprivate(copied)
        {
            #pragma omp section
            {
                const char *const words[] = {"12", "7x", "300", "", "-1", "5"};
                for (const char *w : words) {
                    try {
                        good += parse(w) + round;
                    } catch (const std::invalid_argument &e) {
                        caught++;
                        kept = e.what();
                    }
                }
            }
            #pragma omp section
            {
                Tally outer(&evens);
                for (int i = 0; i < 20; i++) {
                    Tally t(&evens);
                    if (i % 2)
                        continue;
                    t.sum = i;
                    outer.sum++;
                }
            }
            #pragma omp section
            {
                auto scale = [&](int x) { return x * copied.v + round; };
                std::vector<std::string> names;
                for (int i = 0; i < 10; i++)
                    names.push_back(std::string(static_cast<std::size_t>(i), 'n'));
                for (const auto &name : names)
                    lambda_sum += scale(static_cast<int>(name.size()));
            }
        }
    }
    Store store(40);
    std::printf("good %ld caught %ld %s evens %ld lambda %ld\n", good, caught, kept.c_str(), evens,
                lambda_sum);
    std::printf("store %ld %ld\n", store.process(2), store.process(-3));
    return 0;
}
