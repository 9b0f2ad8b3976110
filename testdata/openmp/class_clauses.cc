/*
 * This file passes objects through clauses: firstprivate and lastprivate of a class
 * with copy constructor and assignment, private with a default constructor, and a
 * declared reduction.
 */
#include <cstdio>

namespace {

class Number {
public:
    Number() = default;
    explicit Number(long v) : value_(v) {}
    Number(const Number &o) : value_(o.value_) {}
    Number &operator=(const Number &o)
    {
        value_ = o.value_;
        return *this;
    }
    ~Number() {}
    void add(long x) { value_ += x; }
    long get() const { return value_; }

private:
    long value_ = 0;
};

} // namespace

#pragma omp declare reduction(plus : Number : omp_out.add(omp_in.get())) initializer(omp_priv = Number())

int main()
{
    Number given(50), taken, scratch, sum(7);
    long first = 0;

    #pragma omp parallel sections firstprivate(given) lastprivate(taken) private(scratch) reduction(plus : sum)
    {
        #pragma omp section
        {
            scratch = given;
            for (int i = 0; i < 10; i++)
                scratch.add(i);
            first = scratch.get();
            sum.add(first);
            taken = Number(1);
        }
        #pragma omp section
        {
            scratch = Number(3);
            scratch.add(given.get());
            sum.add(scratch.get());
            taken = scratch;
        }
    }
    std::printf("first %ld taken %ld sum %ld given %ld\n", first, taken.get(), sum.get(),
                given.get());
    return 0;
}
