/*
 * This file calls setjmp inside a loop and longjmps back from within loops of
 * callees, so that a path is re-entered in its middle again and again. A second
 * function resumes one setjmp several times without leaving its frame.
 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf retry;
static long work;

static void attempt(int task, int tries)
{
    for (int i = 0; i < 10; i++) {
        work += task + i;
        if (i == task % 7 && tries < task % 4)
            longjmp(retry, tries + 1);
    }
}

static int resume_in_frame(int times)
{
    jmp_buf here;
    volatile int count = 0;
    int came = setjmp(here);
    count += came + 1;
    if (count < times)
        longjmp(here, 2);
    return count;
}

int main(void)
{
    volatile int retries = 0;
    for (volatile int task = 0; task < 50; task++) {
        int tries = setjmp(retry);
        if (tries > 0)
            retries += 1;
        if (task % 10 == 9)
            continue;
        attempt(task, tries);
    }
    printf("work %ld retries %d\n", work, retries);
    for (int t = 1; t < 30; t += 5)
        printf("resumed %d\n", resume_in_frame(t));
    return 0;
}
