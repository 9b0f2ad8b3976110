/*
 * This file is a parser that reports errors by exceptions, as parsers in C++ do: thrown
 * deep in recursive descent, they pass activations with and without anything to clean
 * up, handlers for other types, and C's qsort; handlers at the statement resume behind
 * the error, and a handler further in translates and throws again. Two documents are
 * parsed as sections of one region; how broken the one is goes against the other.
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Error : std::runtime_error {
    size_t at;
    Error(const char *what, size_t where) : std::runtime_error(what), at(where) {}
};
struct Overflow {
    long value;
};

struct Depth {
    int &n;
    explicit Depth(int &d) : n(d)
    {
        if (++n > 12) {
            --n; /* the destructor does not run */
            throw std::length_error("nested too deep");
        }
    }
    ~Depth() { --n; }
};

class Parser {
public:
    explicit Parser(const std::string &t) : text(t) {}

    /* document: statements separated by semicolons; errors skip one */
    void document()
    {
        while (at < text.size()) {
            size_t start = at;
            try {
                statement();
                good++;
            } catch (const Error &e) {
                bad++;
                weight += (long)(e.at - start);
                skip();
            } catch (const std::exception &) {
                deep++;
                skip();
            }
        }
    }
    long good = 0, bad = 0, deep = 0, weight = 0, overflows = 0;

private:
    void skip()
    {
        while (at < text.size() && text[at] != ';')
            at++;
        at++;
    }
    char peek() const { return at < text.size() ? text[at] : '\0'; }
    void expect(char c)
    {
        if (peek() != c)
            throw Error("unexpected", at);
        at++;
    }

    /* statement: name = value ; */
    void statement()
    {
        std::string name;
        while (peek() >= 'a' && peek() <= 'z')
            name += text[at++];
        if (name.empty())
            throw Error("no name", at);
        expect('=');
        long v = value();
        expect(';');
        variables[name] = v;
        weight += v % 7;
    }

    /* value: product of terms; an overflow inside brackets counts as 1 */
    long value()
    {
        long v = term();
        while (peek() == '*') {
            at++;
            v *= term();
            if (v > 100000)
                throw Overflow{v};
        }
        return v;
    }

    long term()
    {
        if (peek() == '(')
            return bracket();
        if (peek() == '[')
            return list();
        return number();
    }

    long bracket()
    {
        Depth d(depth);
        expect('(');
        long v;
        try {
            v = value();
        } catch (const Overflow &) {
            overflows++;
            if (overflows % 5 == 0)
                throw Error("too large", at); /* another exception goes on */
            v = 1;
        }
        expect(')');
        return v;
    }

    /* list: numbers, sorted by a comparator that throws on equal ones */
    long list()
    {
        std::vector<long> items;
        expect('[');
        do
            items.push_back(number());
        while (peek() == ',' && at++ < text.size());
        expect(']');
        std::qsort(items.data(), items.size(), sizeof(long), compare);
        return items.front() + 2 * items.back();
    }

    static int compare(const void *a, const void *b)
    {
        long x = *static_cast<const long *>(a), y = *static_cast<const long *>(b);
        if (x == y)
            throw std::domain_error("equal");
        return x < y ? -1 : 1;
    }

    long number()
    {
        if (peek() < '0' || peek() > '9')
            throw Error("no number", at);
        long v = 0;
        while (peek() >= '0' && peek() <= '9')
            v = v * 10 + (text[at++] - '0');
        return v;
    }

    const std::string text;
    size_t at = 0;
    int depth = 0;
    std::map<std::string, long> variables;
};

/* A document of statements of which some are broken; seed decides how. */
std::string document(unsigned seed, int statements, int broken)
{
    static const char *const good[] = {"a=1;", "b=(2*3)*4;", "c=((7))*[3,1,2];", "d=[5,9,4,8]*2;", "e=(90*(80*70))*3;"};
    static const char *const wrong[] = {"f=;", "=1;", "g=(1*(2*3);", "h=[4,4];", "i=((((((((((((((1))))))))))))));", "j=(900*(800*(700*600)));", "k=2*(3*x);"};
    std::string s;
    for (int i = 0; i < statements; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned r = seed >> 16;
        if ((int)(r % 100) < broken)
            s += wrong[r / 100 % 7];
        else
            s += good[r / 100 % 5];
    }
    return s;
}

void parse(const std::string &text, long *result)
{
    Parser p(text);
    try {
        p.document();
    } catch (const Overflow &) { /* outside of brackets nobody else wants it */
        p.bad += 100;
    }
    result[0] += p.good;
    result[1] += p.bad;
    result[2] += p.deep;
    result[3] += p.weight;
}

} // namespace

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    long first[4] = {0}, second[4] = {0};
    for (int i = 0; i < rounds; i++) {
        std::string a = document(i, 40, i % 2 ? 90 : 5), b = document(1000 + i, 40, i % 2 ? 5 : 60);
        #pragma omp parallel sections
        {
            #pragma omp section
            parse(a, first);
            #pragma omp section
            parse(b, second);
        }
    }
    for (const long *r : {first, second})
        std::printf("good %ld bad %ld deep %ld weight %ld\n", r[0], r[1], r[2], r[3]);
    return 0;
}
