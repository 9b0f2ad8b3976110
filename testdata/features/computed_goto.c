/*
 * This file is an interpreter that dispatches with computed goto, so that every
 * operation ends in an indirect branch to all others (indirectbr, whose edges
 * cannot be split).
 */
#include <stdio.h>

enum { PUSH, LOAD, STORE, MUL, SUB, DUP, JUMP_IF, PRINT, HALT };

static long run(const int *code)
{
    static const void *const target[] = {&&push, &&load, &&store,   &&mul,  &&sub,
                                         &&dup,  &&jump_if, &&print, &&halt};
    long stack[16], memory[2] = {0, 0}, executed = 0;
    int sp = 0;
    const int *pc = code;
#define NEXT() do { executed++; goto *target[*pc++]; } while (0)
    NEXT();
push:
    stack[sp++] = *pc++;
    NEXT();
load:
    stack[sp++] = memory[*pc++];
    NEXT();
store:
    memory[*pc++] = stack[--sp];
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
jump_if:
    if (stack[--sp] != 0)
        pc = code + *pc;
    else
        pc++;
    NEXT();
print:
    printf("value %ld\n", stack[sp - 1]);
    NEXT();
halt:
    return executed;
}

int main(void)
{
    /* 200! mod 1000003, the product in cell 0 and the factor in cell 1 */
    static const int factorial[] = {PUSH, 1, STORE, 0, PUSH, 200, STORE, 1,
                                    /* 8 */ LOAD, 0, LOAD, 1, MUL, STORE, 0,
                                    /* 15 */ LOAD, 1, PUSH, 1, SUB, DUP, STORE, 1, JUMP_IF, 8,
                                    LOAD, 0, PRINT, HALT};
    static const int countdown[] = {PUSH, 1000, PUSH, 1, SUB, DUP, JUMP_IF, 2, PRINT, HALT};
    printf("executed %ld\n", run(countdown));
    printf("executed %ld\n", run(factorial));
    return 0;
}
