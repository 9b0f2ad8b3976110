/*
 * This file holds variadic functions: a loop over arguments of several types, a
 * va_list passed on, and a va_copy walked twice.
 */
#include <stdarg.h>
#include <stdio.h>

/* Types: i int, l long, d double, s string. */
static double total(const char *types, va_list arguments)
{
    double sum = 0;
    for (; *types; types++)
        switch (*types) {
        case 'i': sum += va_arg(arguments, int); break;
        case 'l': sum += (double)va_arg(arguments, long); break;
        case 'd': sum += va_arg(arguments, double); break;
        case 's':
            for (const char *s = va_arg(arguments, const char *); *s; s++)
                sum += *s == 'x';
            break;
        default: return -1;
        }
    return sum;
}

static double add(const char *types, ...)
{
    va_list arguments, again;
    va_start(arguments, types);
    va_copy(again, arguments);
    double once = total(types, arguments);
    double twice = total(types, again);
    va_end(again);
    va_end(arguments);
    return once == twice ? once : -2;
}

static int largest(int count, ...)
{
    va_list arguments;
    int best = -1000;
    va_start(arguments, count);
    while (count-- > 0) {
        int value = va_arg(arguments, int);
        if (value > best)
            best = value;
    }
    va_end(arguments);
    return best;
}

int main(void)
{
    printf("%.2f\n", add("iild", 1, 2, 3L, 4.5));
    printf("%.2f\n", add("sds", "axxb", 0.25, "x"));
    printf("%.2f\n", add(""));
    printf("%.2f\n", add("i?", 1));
    printf("%d %d\n", largest(5, 3, -7, 12, 4, 11), largest(0));
    return 0;
}
