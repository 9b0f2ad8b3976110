/*
 * This file uses setjmp for errors: a parser leaves several frames at once by
 * longjmp, and setjmp returns once, twice, or with different values.
 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf failure;

static int number(const char **at)
{
    int value = 0;
    if (**at < '0' || **at > '9')
        longjmp(failure, 1);
    while (**at >= '0' && **at <= '9')
        value = value * 10 + *(*at)++ - '0';
    return value;
}

static int sum(const char **at, int depth);

static int factor(const char **at, int depth)
{
    if (**at == '(') {
        ++*at;
        int value = sum(at, depth + 1);
        if (**at != ')')
            longjmp(failure, 2);
        ++*at;
        return value;
    }
    return number(at);
}

static int sum(const char **at, int depth)
{
    if (depth > 5)
        longjmp(failure, 3);
    int value = factor(at, depth);
    while (**at == '+' || **at == '-') {
        char operation = *(*at)++;
        int next = factor(at, depth);
        value += operation == '+' ? next : -next;
    }
    return value;
}

static int evaluate(const char *text, int *why)
{
    int reason = setjmp(failure);
    *why = reason;
    if (reason != 0)
        return -1;
    int value = sum(&text, 0);
    return *text == '\0' ? value : -2;
}

int main(void)
{
    static const char *const inputs[] = {"1+2", "(4-(3+9))+20", "7+", "(1+2", "((((((1))))))", "5 "};
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        int why, value = evaluate(inputs[i], &why);
        printf("%-14s %d why %d\n", inputs[i], value, why);
    }
    return 0;
}
