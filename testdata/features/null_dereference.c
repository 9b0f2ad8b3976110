/*
 * This file walks a list to a null pointer and dies of SIGSEGV in the middle of a
 * loop, after flushing what it printed.
 */
#include <stdio.h>

struct node {
    struct node *volatile next;
    volatile int value;
};

static int sum_values(struct node *list, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) { /* trusts the count, not the pointer */
        sum += list->value;
        list = list->next;
    }
    return sum;
}

int main(void)
{
    static struct node nodes[10];
    for (int i = 0; i < 10; i++) {
        nodes[i].value = i * i;
        nodes[i].next = i < 9 ? &nodes[i + 1] : NULL;
    }
    printf("sum %d\n", sum_values(nodes, 10));
    fflush(stdout);
    printf("sum %d\n", sum_values(nodes, 11));
    return 0;
}
