/*
 * This file returns 42 from main, having chosen it on one of several paths.
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    int status = 40;
    for (int i = 0; i < argc + 1; i++)
        status++;
    if (status == 42) {
        printf("status %d\n", status);
        return status;
    }
    printf("no arguments expected\n");
    return 1;
}
