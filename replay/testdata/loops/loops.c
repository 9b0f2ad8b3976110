/* Worksharing loops of every form, each called from main by name. Most have no more than 500
 * iterations, so that a profile tells them apart. */
#include <omp.h>
#include <stdio.h>

static volatile unsigned sink;
static unsigned state = 1;
static unsigned next(unsigned n) { return state = state * 1664525u + 1013904223u, (state >> 8) % n; }
static __attribute__((noinline)) void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++) sink += i * 3u;
}
static __attribute__((noinline)) unsigned mixed(unsigned x)
{
    if (x % 3 == 0) return x / 7u;
    if (x % 5 == 0) { work(x % 40u); return x; }
    return x * x;
}
enum { N = 480 };
static unsigned length[N];
static float a[N * 4], b[N * 4];
static volatile int zero, three = 3, five = 5, many = N;

static __attribute__((noinline)) void plain(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void chunked(int n)
{
    #pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void dynamic4(int n)
{
    #pragma omp parallel for schedule(monotonic: dynamic, 4)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void guided(int n)
{
    #pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void guided3(int n)
{
    #pragma omp parallel for schedule(guided, 3)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void automatic(int n)
{
    #pragma omp parallel for schedule(auto)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void at_runtime(int n)
{
    #pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void collapsed(int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 30; j++) work((unsigned)(i * j) % 97u);
}
static __attribute__((noinline)) void two_loops(int n)
{
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < n; i++) work(length[i]);
        #pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < n; i++) work(60u + length[i] % 30u);
    }
}
static __attribute__((noinline)) unsigned reduced(int n)
{
    unsigned sum = 0;
    #pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; i++) sum += mixed(length[i] + (unsigned)i);
    return sum;
}
static __attribute__((noinline)) void in_order(int n)
{
    #pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < n; i++) {
        work(length[i]);
        #pragma omp ordered
        sink += (unsigned)i;
    }
}
static __attribute__((noinline)) void unsigned_loop(unsigned n)
{
    #pragma omp parallel for schedule(static, 11)
    for (unsigned i = 2; i < n; i += 3) work(length[i]);
}
static __attribute__((noinline)) void wide(long long n)
{
    #pragma omp parallel for
    for (long long i = 0; i < n; i += 2) work(length[i]);
}
static __attribute__((noinline)) void backwards(int n)
{
    #pragma omp parallel for schedule(guided)
    for (int i = n - 1; i > 4; i -= 3) work(length[i] + (unsigned)i / 8u);
}
static __attribute__((noinline)) void triangular(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) sink += (unsigned)j;
}
static __attribute__((noinline)) void triangular_dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) sink += (unsigned)j;
}
static __attribute__((noinline)) void vectorised(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = a[i] * 3.0f + b[i];
}
static __attribute__((noinline)) void vectorised_chunks(int n)
{
    #pragma omp parallel for schedule(static, 100)
    for (int i = 0; i < n; i++) a[i] = a[i] * 3.0f + b[i];
}
static __attribute__((noinline)) void vectorised_dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < n; i++) a[i] = a[i] * 3.0f + b[i];
}
static __attribute__((noinline)) void guarded(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (length[i % N] > 100u) a[i] = a[i] / 3.0f + b[i];
        else b[i] += 1.0f;
}
static __attribute__((noinline)) void some_in_order(int n)
{
    #pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < n; i++) {
        work(length[i]);
        if (i % 3 == 0) {
            #pragma omp ordered
            work(20);
        }
    }
}
static __attribute__((noinline)) void half_in_critical(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        work(length[i]);
        #pragma omp critical
        work(length[(i * 7) % N]);
    }
}
static __attribute__((noinline)) void amid_critical(int n)
{
    #pragma omp parallel for schedule(static, 4)
    for (int i = 0; i < n; i++) {
        work(length[i % N]);
        #pragma omp critical
        work(length[(i * 7) % N]);
        work(length[(i * 5) % N]);
    }
}
static __attribute__((noinline)) void two_criticals(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        #pragma omp critical(first)
        work(length[(i * 7) % N]);
        work(length[i % N]);
        #pragma omp critical(second)
        work(length[(i * 11) % N]);
        work(length[(i * 5) % N]);
    }
}
static __attribute__((noinline)) void seldom_locked(int n)
{
    #pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
        work(length[i % N]);
        if (i % 9 == 0) {
            #pragma omp critical(seldom)
            work(length[(i * 7) % N]);
        }
        work(length[(i * 5) % N]);
    }
}
static omp_lock_t bucket[300];
static __attribute__((noinline)) void in_buckets(int n)
{
    #pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        omp_set_lock(&bucket[i * 7 % 300]);
        work(length[i % N]);
        omp_unset_lock(&bucket[i * 7 % 300]);
    }
}
static __attribute__((noinline)) void first_in_order(int n)
{
    #pragma omp parallel for ordered schedule(dynamic, 3)
    for (int i = 0; i < n; i++) {
        #pragma omp ordered
        work(length[i % N]);
        work(length[(i * 7) % N]);
    }
}
static __attribute__((noinline)) void three_loops(int n)
{
    #pragma omp parallel
    for (int k = 0; k < 3; k++) {
        #pragma omp for schedule(static, 5) nowait
        for (int i = 0; i < n; i++) work(length[i]);
        #pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < n; i++) work(length[n - 1 - i]);
    }
}
static __attribute__((noinline)) void few(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) work(length[i] * 10u);
}
static __attribute__((noinline)) void few_dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) work(length[i] * 10u);
}
static __attribute__((noinline)) void often(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void often_dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void often_alike(int n, int from)
{
    #pragma omp parallel for schedule(static, 8)
    for (int i = 0; i < n; i++) work(length[(i + from) % N] / 16u);
}
static __attribute__((noinline)) void with_sections(int n)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) work(length[i]);
        #pragma omp sections
        {
            #pragma omp section
            work(4000);
            #pragma omp section
            work(7000);
        }
        #pragma omp for schedule(guided)
        for (int i = 0; i < n; i++) work(length[n - 1 - i]);
    }
}
static __attribute__((noinline)) void inner(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void in_sections(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        inner(n);
        #pragma omp section
        inner(n / 2);
    }
}
static __attribute__((noinline)) void in_loop(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) inner((i * 7) % 50 + 1);
}
static __attribute__((noinline)) void in_dynamic_loop(int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) { work(20); inner((i * i) % 120 + 1); }
}
static __attribute__((noinline)) void computed(int n, int chunk)
{
    #pragma omp parallel for schedule(static, chunk)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void computed_dynamic(int n, int chunk)
{
    #pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void paths(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (length[i] % 4u == 0) continue;
        if (length[i] % 4u == 1) { sink /= 7u; sink /= 3u; continue; }
        for (unsigned k = 0; k < length[i]; k++) {
            if (k * k > 900u) break;
            sink ^= k;
        }
    }
}
static __attribute__((noinline)) void steep(int n)
{
    #pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++) work(i > n - 40 ? 3000u : 10u);
}
static __attribute__((noinline)) void on_two(int n)
{
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++) work(length[i]);
}
static __attribute__((noinline)) void lengthy(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) work(length[i % N]);
}
static __attribute__((noinline)) void lengthy_dynamic(int n)
{
    #pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++) work(length[i % N] / 8u);
}

int main(void)
{
    for (int i = 0; i < 300; i++) omp_init_lock(&bucket[i]);
    for (int i = 0; i < N; i++) length[i] = 20u + next(1u << (1u + next(9u)));
    plain(many), chunked(many), dynamic(many), dynamic4(many), guided(many), guided3(many), automatic(many), at_runtime(many);
    collapsed(16 + zero), two_loops(many), sink += reduced(many), in_order(many);
    unsigned_loop((unsigned)many), wide(many), backwards(many);
    triangular(300 + zero), triangular_dynamic(300 + zero);
    vectorised(4 * many), vectorised_chunks(4 * many), vectorised_dynamic(4 * many), guarded(4 * many);
    some_in_order(many), half_in_critical(many), amid_critical(3 * many), two_criticals(4 * many), seldom_locked(6 * many), in_buckets(4 * many), first_in_order(5 * many), three_loops(200 + zero);
    few(three), few(zero + 1), few_dynamic(three), few(zero), few_dynamic(zero);
    for (int k = 0; k < 30; k++) often((k * 37) % 400), often_dynamic((k * 53) % 300);
    for (int k = 0; k < 500; k++) often_alike(40 + 20 * (k % 3), 7 * k);
    with_sections(many), in_sections(many), in_loop(300 + zero), in_dynamic_loop(200 + zero);
    computed(many, five), computed(many, 3 * five), computed_dynamic(many, five);
    paths(many), steep(many), on_two(many), lengthy(60 * many), lengthy_dynamic(60 * many);
    printf("%u %g\n", sink, (double)a[7]);
    return 0;
}
