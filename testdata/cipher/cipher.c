/*
 * This file works through a stream of records with a block cipher of its own, a
 * 16-round Feistel network on 64-bit blocks: it encrypts, decrypts and
 * authenticates, each in a section.
 *
 *   cipher [RECORDS [mixed|encrypt|decrypt]]     default: 48000 mixed
 *
 * Correlation. A record's mode decides which sections have work:
 *   section 1 encrypts    outgoing records (half of them)
 *   section 2 decrypts    incoming records (the other half): excludes section 1
 *   section 3 computes the message authentication code of records that carry
 *             one, 3 of 4, whatever their direction: independent of 1 and 2
 *   section 4 prepares the round keys of the next record: light, always
 * Records shorter than 128 bytes are done by one thread (clause if).
 *
 * Expectation. Cipher and authentication of one record overlap, encryption and
 * decryption never do. With {1,3}{2,4} and {1,2}{3,4} on two processors the
 * averages per processor differ little from each other in AT, while the second is
 * clearly better in truth and in PB. MT adds up sections 1 and 2 at their
 * heaviest in the second mapping and so prefers the first.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 16, LARGEST = 1024, BLOCK = 8, SMALL_RECORD = 128 };
enum mode { ENCRYPT = 1, DECRYPT = 2, AUTHENTICATE = 4 };

typedef struct {
    uint32_t round_key[ROUNDS];
    uint32_t whitening[2];
} key_schedule;

typedef struct {
    int mode;
    int length; /* bytes, a multiple of BLOCK */
    uint32_t sequence;
    unsigned char payload[LARGEST];
} record;

typedef struct {
    uint32_t left, right;
} block;

static uint32_t substitution[4][256];
static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t next_random(void)
{
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32);
}

static void make_substitution(void)
{
    for (int box = 0; box < 4; box++)
        for (int i = 0; i < 256; i++)
            substitution[box][i] = next_random();
}

static uint32_t rotate(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t round_function(uint32_t half, uint32_t key)
{
    uint32_t x = half ^ key;
    uint32_t y = substitution[0][x >> 24] + substitution[1][x >> 16 & 255];
    y ^= substitution[2][x >> 8 & 255];
    return rotate(y + substitution[3][x & 255], 5);
}

static block encrypt_block(const key_schedule *keys, block b)
{
    b.left ^= keys->whitening[0];
    b.right ^= keys->whitening[1];
    for (int r = 0; r < ROUNDS; r += 2) {
        b.right ^= round_function(b.left, keys->round_key[r]);
        b.left ^= round_function(b.right, keys->round_key[r + 1]);
    }
    return b;
}

static block decrypt_block(const key_schedule *keys, block b)
{
    for (int r = ROUNDS - 2; r >= 0; r -= 2) {
        b.left ^= round_function(b.right, keys->round_key[r + 1]);
        b.right ^= round_function(b.left, keys->round_key[r]);
    }
    b.left ^= keys->whitening[0];
    b.right ^= keys->whitening[1];
    return b;
}

static void derive_keys(key_schedule *keys, uint32_t secret, uint32_t sequence)
{
    uint32_t x = secret ^ rotate(sequence, 7);
    for (int r = 0; r < ROUNDS; r++) {
        x = rotate(x, 9) * 0x2545f491u + (uint32_t)r;
        keys->round_key[r] = x ^ substitution[r & 3][x & 255];
    }
    keys->whitening[0] = rotate(x, 13) ^ secret;
    keys->whitening[1] = ~x;
}

static block load_block(const unsigned char *from)
{
    block b;
    memcpy(&b.left, from, 4);
    memcpy(&b.right, from + 4, 4);
    return b;
}

static void store_block(unsigned char *to, block b)
{
    memcpy(to, &b.left, 4);
    memcpy(to + 4, &b.right, 4);
}

/* Cipher block chaining in both directions. */
static void encrypt_payload(const key_schedule *keys, const record *in, unsigned char *out)
{
    block chain = {in->sequence, ~in->sequence};
    for (int at = 0; at < in->length; at += BLOCK) {
        block b = load_block(in->payload + at);
        b.left ^= chain.left;
        b.right ^= chain.right;
        chain = encrypt_block(keys, b);
        store_block(out + at, chain);
    }
}

static void decrypt_payload(const key_schedule *keys, const record *in, unsigned char *out)
{
    block chain = {in->sequence, ~in->sequence};
    for (int at = 0; at < in->length; at += BLOCK) {
        block c = load_block(in->payload + at), b = decrypt_block(keys, c);
        b.left ^= chain.left;
        b.right ^= chain.right;
        store_block(out + at, b);
        chain = c;
    }
}

static uint64_t authenticate(const key_schedule *keys, const record *in)
{
    block state = {(uint32_t)in->length, in->sequence};
    for (int at = 0; at < in->length; at += BLOCK) {
        block b = load_block(in->payload + at);
        state.left += b.left;
        state.right ^= b.right;
        state = encrypt_block(keys, state);
    }
    return (uint64_t)state.left << 32 | state.right;
}

static void make_record(record *r, int mode, uint32_t sequence)
{
    r->mode = mode;
    r->sequence = sequence;
    r->length = next_random() % 8 == 0 ? BLOCK * (1 + (int)(next_random() % 15))
                                       : BLOCK * (40 + (int)(next_random() % 80));
    uint32_t x = next_random();
    for (int i = 0; i < r->length; i++)
        r->payload[i] = (unsigned char)((x >> (i % 25)) + (uint32_t)i);
}

/* Handles one record; the next record's keys are left in next. */
static uint64_t handle(const record *r, const key_schedule *keys, key_schedule *next,
                       unsigned char *out, uint32_t secret)
{
    uint64_t code = 0;
    uint32_t number = r->sequence;

    #pragma omp parallel sections if (r->length >= SMALL_RECORD) num_threads(4) firstprivate(number)
    {
        #pragma omp section
        {
            if (r->mode & ENCRYPT)
                encrypt_payload(keys, r, out);
        }
        #pragma omp section
        {
            if (r->mode & DECRYPT)
                decrypt_payload(keys, r, out);
        }
        #pragma omp section
        {
            if (r->mode & AUTHENTICATE)
                code = authenticate(keys, r);
        }
        #pragma omp section
        {
            number++;
            derive_keys(next, secret, number);
        }
    }
    return code;
}

static uint32_t checksum(const unsigned char *bytes, int length, uint32_t sum)
{
    for (int i = 0; i < length; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    int records = argc > 1 ? atoi(argv[1]) : 48000;
    const char *wanted = argc > 2 ? argv[2] : "mixed";
    const uint32_t secret = 0x5eed1234u;
    static record r, back;
    static unsigned char out[LARGEST], again[LARGEST];
    key_schedule keys[2];
    uint64_t codes = 0;
    uint32_t sum = 2166136261u;
    int count[8] = {0}, broken = 0;

    make_substitution();
    derive_keys(&keys[0], secret, 0);
    for (int n = 0; n < records; n++) {
        const key_schedule *now = &keys[n & 1];
        int mode = next_random() & 1 ? ENCRYPT : DECRYPT;
        if (strcmp(wanted, "encrypt") == 0)
            mode = ENCRYPT;
        else if (strcmp(wanted, "decrypt") == 0)
            mode = DECRYPT;
        if (next_random() % 4 != 0)
            mode |= AUTHENTICATE;
        make_record(&r, mode, (uint32_t)n);
        codes = codes * 3 + handle(&r, now, &keys[~n & 1], out, secret);
        sum = checksum(out, r.length, sum);
        count[mode]++;
        if (n % 64 == 0) { /* the way back must give the payload again */
            back = r;
            memcpy(back.payload, out, (size_t)r.length);
            if (mode & ENCRYPT)
                decrypt_payload(now, &back, again);
            else
                encrypt_payload(now, &back, again);
            broken += memcmp(again, r.payload, (size_t)r.length) != 0;
        }
    }
    printf("encrypted %d+%d decrypted %d+%d\n", count[ENCRYPT], count[ENCRYPT | AUTHENTICATE],
           count[DECRYPT], count[DECRYPT | AUTHENTICATE]);
    printf("sum %08x codes %016llx broken %d\n", sum, (unsigned long long)codes, broken);
    return broken != 0;
}
