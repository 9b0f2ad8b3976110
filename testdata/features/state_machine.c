/*
 * This file is a scanner whose states are labels and whose transitions are gotos:
 * many overlapping cycles, none written as a loop.
 */
#include <stdio.h>

static void scan(const char *p)
{
    int words = 0, numbers = 0, strings = 0, errors = 0;
space:
    switch (*p) {
    case ' ': p++; goto space;
    case '"': p++; goto string;
    case '\0': goto end;
    }
    if (*p >= '0' && *p <= '9')
        goto number;
    if ((*p | 32) >= 'a' && (*p | 32) <= 'z')
        goto word;
    errors++;
    p++;
    goto space;
word:
    p++;
    if ((*p | 32) >= 'a' && (*p | 32) <= 'z')
        goto word;
    if (*p >= '0' && *p <= '9')
        goto word;
    words++;
    goto space;
number:
    p++;
    if (*p >= '0' && *p <= '9')
        goto number;
    if (*p == '.')
        goto number;
    if ((*p | 32) >= 'a' && (*p | 32) <= 'z') {
        errors++;
        goto word;
    }
    numbers++;
    goto space;
string:
    if (*p == '\\' && p[1] != '\0') {
        p += 2;
        goto string;
    }
    if (*p == '"') {
        strings++;
        p++;
        goto space;
    }
    if (*p++ != '\0')
        goto string;
    errors++;
end:
    printf("words %d numbers %d strings %d errors %d\n", words, numbers, strings, errors);
}

int main(void)
{
    scan("");
    scan("one 2 three4 5.67 8nine");
    scan("\"a string\" \"with \\\" quote\" then 12 + word");
    scan("\"not closed");
    for (int i = 0; i < 5; i++)
        scan("a1 b2 \"c3\" 44 ## d");
    return 0;
}
