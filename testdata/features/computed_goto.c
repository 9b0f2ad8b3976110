/*
 * This file is an interpreter that dispatches with computed goto, so that every
 * operation ends in an indirect branch to all others (indirectbr, whose edges
 * cannot be split).
 */
#include <stdio.h>

enum { PUSH, ADD, MUL, SUB, DUP, SWAP, JUMP_IF, DROP, PRINT, HALT };

static long run(const int *code)
{
    static const void *const target[] = {&&push, &&add, &&mul, &&sub, &&dup,
                                         &&swap, &&jump_if, &&drop, &&print, &&halt};
    long stack[16], executed = 0, t;
    int sp = 0;
    const int *pc = code;
#define NEXT() do { executed++; goto *target[*pc++]; } while (0)
    NEXT();
push:
    stack[sp++] = *pc++;
    NEXT();
add:
    sp--;
    stack[sp - 1] += stack[sp];
    NEXT();
mul:
    sp--;
    stack[sp - 1] = stack[sp - 1] * stack[sp] % 1000003;
    NEXT();
sub:
    sp--;
    stack[sp - 1] -= stack[sp];
    NEXT();
dup:
    stack[sp] = stack[sp - 1];
    sp++;
    NEXT();
swap:
    t = stack[sp - 1];
    stack[sp - 1] = stack[sp - 2];
    stack[sp - 2] = t;
    NEXT();
jump_if:
    if (stack[--sp] != 0)
        pc = code + *pc;
    else
        pc++;
    NEXT();
drop:
    sp--;
    NEXT();
print:
    printf("value %ld\n", stack[sp - 1]);
    NEXT();
halt:
    return executed;
}

int main(void)
{
    /* product := 1; for n := 200 down to 1: product := product * n mod 1000003 */
    static const int factorial[] = {PUSH, 1, PUSH, 200,
                                    /* 4 */ DUP, PUSH, 0, ADD, SWAP, DROP,
                                    /* 10: product n */ SWAP, PUSH, 3, MUL, SWAP, PUSH, 1, SUB, DUP,
                                    JUMP_IF, 10, DROP, PRINT, HALT};
    static const int countdown[] = {PUSH, 1000, PUSH, 1, SUB, DUP, JUMP_IF, 2, PRINT, HALT};
    /* countdown's second operand starts the loop body at index 2 */
    printf("executed %ld\n", run(countdown));
    (void)factorial;
    return 0;
}
