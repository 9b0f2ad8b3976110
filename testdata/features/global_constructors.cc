/*
 * This file works before main and after it: constructors and destructors of global
 * objects, static locals behind guards, thread_local objects, and a constructor
 * function with a priority.
 */
#include <cstdio>

namespace {

int order = 0;
long sum = 0;

long spin(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += i % 4 == 1 ? i : 2;
    return s;
}

struct Worker {
    const char *name;
    int place;
    Worker(const char *n, int turns) : name(n), place(++order) { sum += spin(turns); }
    ~Worker()
    {
        sum += spin(place);
        std::printf("%s ends, sum %ld\n", name, sum);
    }
};

Worker first("first", 100), second("second", 200);
const long table_sum = spin(50) * 2;

__attribute__((constructor(200))) void before_all()
{
    order = 10;
}

Worker &shared(int n)
{
    static Worker local("static local", n);
    return local;
}

thread_local Worker per_thread("thread local", 30);

} // namespace

int main()
{
    std::printf("first %d second %d table %ld\n", first.place, second.place, table_sum);
    for (int i = 1; i < 4; i++)
        std::printf("local %d\n", shared(i * 1000).place);
    int place = per_thread.place; /* constructs it */
    std::printf("thread local %d sum %ld\n", place, sum);
    return 0;
}
