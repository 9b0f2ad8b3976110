/* This file declares what the two units share, one function inline in both. */
#ifndef OTHER_H
#define OTHER_H

extern int other_counter;
int other_steps(int x);

static inline int minimum(int a, int b)
{
    return a < b ? a : b;
}

#endif
