/*
 * This file is an interpreter whose exceptions are longjmp, as those of scripting
 * languages in C are: every try block keeps a jmp_buf, throwing leaves any number of
 * activations at once, handlers rethrow, finally blocks run on both ways out, and the
 * comparator of a sort runs script code that may throw through qsort. Two scripts run
 * as sections of one region, each with an interpreter of its own; the length of the
 * one goes against that of the other.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 256, TRIES = 32, SORTED = 24 };

typedef struct try_block {
    jmp_buf buf;
    int sp;
} try_block;

typedef struct interp {
    int stack[STACK];
    int sp;
    try_block tries[TRIES];
    int tried;
    int thrown;
    long caught;
    long cleaned;
} interp;

static void throw_value(interp *J, int value)
{
    J->thrown = value;
    if (J->tried == 0) {
        fprintf(stderr, "uncaught %d\n", value);
        exit(3);
    }
    J->tried--;
    J->sp = J->tries[J->tried].sp;
    longjmp(J->tries[J->tried].buf, 1);
}

static jmp_buf *try_buffer(interp *J)
{
    if (J->tried == TRIES)
        throw_value(J, 99);
    J->tries[J->tried].sp = J->sp;
    return &J->tries[J->tried++].buf;
}

static void end_try(interp *J) { J->tried--; }

static void push(interp *J, int value)
{
    if (J->sp == STACK)
        throw_value(J, 98);
    J->stack[J->sp++] = value;
}

static int pop(interp *J)
{
    if (J->sp == 0)
        throw_value(J, 97);
    return J->stack[--J->sp];
}

/* One letter an instruction, with a digit as its argument where it takes one:
 * 0-9 push; + - * / % arithmetic, which throws on division by 0; d dup; s swap; x drop;
 * !N throw N; tN try function N, pushing what it threw or its value; cN call function N;
 * fN call function N and clean up whatever happens; lN call function N as often as the
 * top says; qN sort numbers with function N as comparator; nN return unless top > N. */
typedef const char *const *script;

static void run(interp *J, script S, int function);

static void guarded(interp *J, script S, int function)
{
    if (setjmp(*try_buffer(J))) {
        J->caught++;
        push(J, J->thrown);
        return;
    }
    run(J, S, function);
    end_try(J);
}

static void finally(interp *J, script S, int function)
{
    if (setjmp(*try_buffer(J))) {
        J->cleaned++;
        throw_value(J, J->thrown + 1); /* goes on with the exception */
    }
    run(J, S, function);
    end_try(J);
    J->cleaned++;
}

static interp *sorting;
static script sorting_script;
static int sorting_function;

static int compare(const void *a, const void *b)
{
    interp *J = sorting;
    push(J, *(const int *)a);
    push(J, *(const int *)b);
    run(J, sorting_script, sorting_function);
    return pop(J);
}

static void sort(interp *J, script S, int function)
{
    int values[SORTED];
    int seed = pop(J);
    for (int i = 0; i < SORTED; i++) {
        seed = (seed * 73 + 41) % 101;
        values[i] = seed;
    }
    sorting = J;
    sorting_script = S;
    sorting_function = function;
    qsort(values, SORTED, sizeof *values, compare);
    push(J, values[SORTED / 2]);
}

static void run(interp *J, script S, int function)
{
    for (const char *p = S[function]; *p; p++) {
        int a, b;
        switch (*p) {
        case '+': b = pop(J); a = pop(J); push(J, a + b); break;
        case '-': b = pop(J); a = pop(J); push(J, a - b); break;
        case '*': b = pop(J); a = pop(J); push(J, a * b % 10007); break;
        case '/':
        case '%':
            b = pop(J);
            a = pop(J);
            if (b == 0)
                throw_value(J, 50);
            push(J, *p == '/' ? a / b : a % b);
            break;
        case 'd': a = pop(J); push(J, a); push(J, a); break;
        case 's': b = pop(J); a = pop(J); push(J, b); push(J, a); break;
        case 'x': pop(J); break;
        case '!': throw_value(J, *++p - '0'); break;
        case 't': guarded(J, S, *++p - '0'); break;
        case 'c': run(J, S, *++p - '0'); break;
        case 'f': finally(J, S, *++p - '0'); break;
        case 'n':
            a = pop(J);
            push(J, a);
            if (a <= *++p - '0')
                return;
            break;
        case 'l':
            p++;
            for (a = pop(J); a > 0; a--) {
                push(J, a);
                run(J, S, *p - '0');
            }
            break;
        case 'q': sort(J, S, *++p - '0'); break;
        default: push(J, *p - '0'); break;
        }
    }
}

/* Recursion that divides by 0 somewhere, past finally blocks on every second level. */
static const char *const deep[] = {"9l1", "d8*3+t2xx", "d5%n0x1-n0c3", "d7%3-9s/x1-n1f2", ""};
/* Sorts, some of whose comparisons divide by 0, and loops over handlers. */
static const char *const sorts[] = {"6l1", "d7*t2xx", "q3", "d9s%xsd9s%xs-", ""};
static const char *const loops[] = {"9l1", "9l2x", "d4%t3x", "d2-d/x1-n2c3", ""};

static long use(script S, int times)
{
    interp *J = calloc(1, sizeof *J);
    for (volatile int i = 0; i < times; i++) {
        J->sp = 0;
        push(J, i % 5);
        if (setjmp(*try_buffer(J)) == 0) {
            run(J, S, 0);
            end_try(J);
        } else {
            J->caught++;
        }
    }
    long left = J->caught * 1000 + J->cleaned;
    free(J);
    return left;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    long a = 0, b = 0;
    for (int i = 0; i < rounds; i++) {
        int many = i % 3 == 0 ? 9 : 1, few = 10 - many;
        #pragma omp parallel sections
        {
            #pragma omp section
            a += use(i % 2 ? deep : loops, many);
            #pragma omp section
            b += use(sorts, few);
        }
    }
    printf("caught and cleaned: %ld and %ld\n", a, b);
    return 0;
}
