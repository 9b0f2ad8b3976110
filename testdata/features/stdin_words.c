/*
 * This file counts lines, words and the longest line of its standard input, which
 * must reach the program untouched.
 */
#include <stdio.h>

int main(void)
{
    long lines = 0, words = 0, longest = 0, length = 0;
    int in_word = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            lines++;
            if (length > longest)
                longest = length;
            length = 0;
            in_word = 0;
            continue;
        }
        length++;
        if (c == ' ' || c == '\t') {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            words++;
        }
    }
    printf("lines %ld words %ld longest %ld\n", lines, words, longest);
    return lines == 0;
}
