/*
 * This file runs programs of a small stack machine, two at a time, on two interpreters
 * that dispatch with a switch.
 *
 *   switch_dispatch tiny|small|large
 *
 * What is hard: a switch that depends on the data. Programs are of three kinds with
 * cheap, middling or dear instructions; of the two that run side by side one is dear
 * when the other is cheap. The interpreters' loops have a path for each instruction,
 * and all kinds of programs share them. In the second region the switch stands in
 * the sections themselves, before the work.
 *
 * What averages miss: the mix of instructions over the whole run is the same on both
 * interpreters, so that they look equal. The paths of the interpreter's loop are
 * counted, but they are averaged before they meet those of the other section. In the
 * second region paths see all, averages of branches nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 256, STACK = 16, ARRAY = 32 };
enum opcode { PUSH, ADD, XOR, ROTATE, MULTIPLY, DIVIDE, SUM_ARRAY, SHIFT_ARRAY, SWAP, DROP };

typedef struct {
    unsigned char code[CODE];
    unsigned stack[STACK], array[ARRAY];
} machine;

static machine machines[2];
static unsigned random_state = 0x85157af5u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Kinds: 0 moves and adds, 1 multiplies and divides, 2 works on the array. */
static void make_program(machine *m, int kind)
{
    static const unsigned char mix[3][8] = {
        {PUSH, ADD, PUSH, XOR, SWAP, ROTATE, PUSH, DROP},
        {PUSH, MULTIPLY, PUSH, DIVIDE, SWAP, ADD, ROTATE, DROP},
        {PUSH, SUM_ARRAY, SHIFT_ARRAY, XOR, SUM_ARRAY, SWAP, SHIFT_ARRAY, DROP},
    };
    for (int i = 0; i < CODE; i++)
        m->code[i] = mix[kind][next_random() % 8];
    for (int i = 0; i < ARRAY; i++)
        m->array[i] = next_random();
    memset(m->stack, 0, sizeof m->stack);
}

/* The stack is a ring, so that programs need no balance. */
static unsigned run(machine *m)
{
    unsigned top = 0, *s = m->stack;
    for (int pc = 0; pc < CODE; pc++) {
        unsigned a = s[top % STACK], b = s[(top - 1) % STACK];
        switch (m->code[pc]) {
        case PUSH:
            s[++top % STACK] = (unsigned)pc * 2654435761u;
            break;
        case ADD:
            s[--top % STACK] = a + b;
            break;
        case XOR:
            s[--top % STACK] = a ^ b;
            break;
        case ROTATE:
            s[top % STACK] = a << 7 | a >> 25;
            break;
        case MULTIPLY:
            s[top % STACK] = a * (b | 1);
            break;
        case DIVIDE:
            s[top % STACK] = a / (b % 97 + 1) + a % (b % 89 + 1);
            break;
        case SUM_ARRAY:
            for (int i = 0; i < ARRAY; i++)
                a += m->array[i] >> (i & 3);
            s[top % STACK] = a;
            break;
        case SHIFT_ARRAY:
            for (int i = ARRAY - 1; i > 0; i--)
                m->array[i] = m->array[i - 1];
            m->array[0] = a;
            break;
        case SWAP:
            s[top % STACK] = b;
            s[(top - 1) % STACK] = a;
            break;
        default:
            top--;
        }
    }
    return s[top % STACK] ^ m->array[ARRAY / 2];
}

static unsigned run_both(void)
{
    unsigned first = 0, second = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        first = run(&machines[0]);
        #pragma omp section
        second = run(&machines[1]);
    }
    return first * 31 + second;
}

/* What comes after a program depends on its kind: a switch in each section. */
static unsigned finish(int first_kind, int second_kind)
{
    unsigned one = 0, two = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        switch (first_kind) {
        case 0:
            one = machines[0].stack[0];
            break;
        case 1:
            for (int i = 0; i < STACK; i++)
                one = one * 31 + machines[0].stack[i] % 1009;
            break;
        default:
            for (int round = 0; round < 24; round++)
                for (int i = 0; i < ARRAY; i++)
                    one = (one ^ machines[0].array[i]) * 16777619u;
        }
        #pragma omp section
        switch (second_kind) {
        case 0:
            two = machines[1].stack[0];
            break;
        case 1:
            for (int i = 0; i < STACK; i++)
                two = two * 31 + machines[1].stack[i] % 1009;
            break;
        default:
            for (int round = 0; round < 24; round++)
                for (int i = 0; i < ARRAY; i++)
                    two = (two ^ machines[1].array[i]) * 16777619u;
        }
    }
    return one ^ two;
}

static int programs(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 24000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 240000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 960;
    fprintf(stderr, "usage: switch_dispatch tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = programs(argc, argv), kind = 0;
    unsigned results = 0, ends = 0;
    for (int n = 0; n < count; n++) {
        if (n % 16 == 0) {
            kind = (int)(next_random() % 3);
            make_program(&machines[0], kind);
            make_program(&machines[1], 2 - kind);
        }
        results = results * 31 + run_both();
        ends = ends * 31 + finish(kind, 2 - kind);
    }
    printf("programs %d results %08x ends %08x\n", count, results, ends);
    return 0;
}
