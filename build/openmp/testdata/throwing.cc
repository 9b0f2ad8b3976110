// Exceptions that stay inside sections, objects with destructors, lambdas, a region in a constructor.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int depth(int n)
{
    if (n > 5)
        throw std::runtime_error("deep " + std::to_string(n));
    return n;
}

struct Counter {
    int hits = 0;
    std::string text;
    explicit Counter(int n)
    {
        #pragma omp parallel sections
        {
            #pragma omp section
            {
                try {
                    hits = depth(n);
                } catch (const std::exception &e) {
                    text = e.what();
                }
            }
            #pragma omp section
            {
                std::vector<std::string> words;
                try {
                    for (int i = 0; i < n; i++)
                        words.push_back(std::to_string(depth(i)));
                } catch (...) {
                    words.push_back("stop");
                }
                std::size_t size = 0;
                for (const auto &w : words)
                    size += w.size();
                std::printf("%zu ", size);
            }
        }
    }
    ~Counter() { std::printf("gone "); }
};

template <typename F> static int both(F left, F right)
{
    int a = 0, b = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        a = left();
        #pragma omp section
        b = right();
    }
    return a * 100 + b;
}

static Counter early(3);

int main()
{
    for (int n = 4; n < 8; n++) {
        try {
            Counter c(n);
            std::printf("%d %s\n", c.hits, c.text.c_str());
            if (n == 6)
                throw n;
        } catch (int i) {
            std::printf("caught %d\n", i);
        }
    }
    int x = 4;
    auto inc = [&x] { return ++x; };
    std::printf("%d\n", both(inc, inc));
    return 0;
}
