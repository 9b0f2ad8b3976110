/*
 * This file decodes a stream of packets: voice (adaptive deltas), video (8 by 8
 * blocks of cosine coefficients), data (copies and literals) and control.
 *
 *   packet [PACKETS [SEED]]     default: 32000 1
 *
 * Correlation. The packet's type decides which decoder is heavy: the three
 * sections of the second construct exclude each other (negative correlation), and
 * a control packet or one with a wrong checksum needs none of them. In the first
 * construct the checksum grows with the length and the header is light; video
 * packets are the longest, so its weight goes with the video decoder's.
 * One parallel region holds both constructs, with a single, a barrier, a
 * critical and a master construct between and in them.
 *
 * Expectation. The decoders gain nothing on any number of processors; only
 * checksum and header overlap a little. PB says so. AT splits the work over the
 * three decoders and is too optimistic, the more so the more processors there
 * are; MT charges three heavy decoders to every packet.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, LARGEST = 2048, DECODED = 8192, BAD_EVERY = 50 };
enum type { VOICE, VIDEO, DATA, CONTROL, TYPES };

static const char *const type_name[TYPES] = {"voice", "video", "data", "control"};

typedef struct {
    unsigned char bytes[HEADER + LARGEST];
    int length; /* with header */
} packet;

typedef struct {
    enum type type;
    int payload;
    uint32_t checksum;
    int sequence;
} header;

typedef struct {
    long packets[TYPES], decoded[TYPES];
    long rejected, sequence_gaps;
    uint32_t digest;
} statistics;

static uint32_t random_state;
static uint32_t checksum_table[256];
static int cosine[8][8]; /* of (2x+1) u pi / 16, times 1024, with the factor of u */

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void make_tables(void)
{
    /* The cosines of k pi / 16 for k = 0 to 8, times 1024; the rest by symmetry. */
    static const int quarter[9] = {1024, 1004, 946, 851, 724, 569, 392, 200, 0};
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        checksum_table[n] = c;
    }
    for (int x = 0; x < 8; x++)
        for (int u = 0; u < 8; u++) {
            int k = (2 * x + 1) * u % 32;
            int value = k <= 8    ? quarter[k]
                        : k <= 16 ? -quarter[16 - k]
                        : k <= 24 ? -quarter[k - 16]
                                  : quarter[32 - k];
            cosine[x][u] = u == 0 ? 724 : value;
        }
}

static uint32_t checksum_of(const unsigned char *bytes, int length)
{
    uint32_t c = ~0u;
    for (int i = 0; i < length; i++)
        c = checksum_table[(c ^ bytes[i]) & 255] ^ c >> 8;
    return ~c;
}

/* Tokens below 128 are that many literals plus one, others copies of 4 to 67 bytes
 * from 1 to 256 bytes back. */
static int make_data(unsigned char *to, int limit)
{
    int n = 0, produced = 0;
    while (n + 40 < limit && produced < DECODED - 200) {
        if (produced < 300 || next_random() % 3 == 0) {
            int run = 1 + (int)(next_random() % 32);
            to[n++] = (unsigned char)(run - 1);
            for (int i = 0; i < run; i++)
                to[n++] = (unsigned char)('a' + next_random() % 26);
            produced += run;
        } else {
            int length = 4 + (int)(next_random() % 64);
            to[n++] = (unsigned char)(128 + length - 4);
            to[n++] = (unsigned char)next_random();
            produced += length;
        }
    }
    return n;
}

/* Blocks of coefficients: pairs of a zero run and a level, ended by run 255. */
static int make_video(unsigned char *to, int limit)
{
    int n = 0;
    while (n + 40 < limit) {
        int position = 0;
        for (int k = 0; k < 12 && position < 60; k++) {
            int run = (int)(next_random() % 5);
            to[n++] = (unsigned char)run;
            to[n++] = (unsigned char)(next_random() % 61 + 98 - k);
            position += run + 1;
        }
        to[n++] = 255;
    }
    return n;
}

static void make_packet(packet *p, int sequence)
{
    unsigned char *body = p->bytes + HEADER;
    uint32_t dice = next_random() % 10;
    enum type type = dice < 4 ? VOICE : dice < 7 ? VIDEO : dice < 9 ? DATA : CONTROL;
    int length = 16;
    if (type == VIDEO) {
        length = make_video(body, 600 + (int)(next_random() % 1200));
    } else if (type == DATA) {
        length = make_data(body, 700);
    } else {
        if (type == VOICE)
            length = 320 + (int)(next_random() % 64);
        for (int i = 0; i < length; i++)
            body[i] = (unsigned char)(next_random() >> 9);
    }
    uint32_t sum = checksum_of(body, length);
    if (next_random() % BAD_EVERY == 0)
        body[length / 2] ^= 0x10;
    p->bytes[0] = (unsigned char)type;
    p->bytes[1] = (unsigned char)sequence;
    p->bytes[2] = (unsigned char)(length >> 8);
    p->bytes[3] = (unsigned char)length;
    for (int i = 0; i < 4; i++)
        p->bytes[4 + i] = (unsigned char)(sum >> 8 * i);
    p->length = HEADER + length;
}

static header parse_header(const packet *p)
{
    header h;
    h.type = (enum type)(p->bytes[0] % TYPES);
    h.sequence = p->bytes[1];
    h.payload = p->bytes[2] << 8 | p->bytes[3];
    h.checksum = 0;
    for (int i = 0; i < 4; i++)
        h.checksum |= (uint32_t)p->bytes[4 + i] << 8 * i;
    return h;
}

/* Four bits a sample: a sign and a multiple of a step that adapts. */
static int decode_voice(const unsigned char *from, int length, unsigned char *out)
{
    int sample = 0, step = 16, n = 0;
    for (int i = 0; i < 2 * length; i++) {
        int code = i & 1 ? from[i / 2] >> 4 : from[i / 2] & 15;
        int delta = step * (2 * (code & 7) + 1) / 8;
        sample += code & 8 ? -delta : delta;
        if (sample > 32767)
            sample = 32767;
        else if (sample < -32768)
            sample = -32768;
        step = (code & 7) < 4 ? step * 15 / 16 : step * (code & 7) / 3;
        if (step < 8)
            step = 8;
        else if (step > 4096)
            step = 4096;
        out[n++] = (unsigned char)(sample >> 8);
    }
    return n;
}

static void inverse_cosine(const int *coefficient, unsigned char *out)
{
    int half[64];
    for (int v = 0; v < 8; v++)
        for (int x = 0; x < 8; x++) {
            int sum = 0;
            for (int u = 0; u < 8; u++)
                sum += cosine[x][u] * coefficient[8 * v + u];
            half[8 * v + x] = sum / 256;
        }
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++) {
            int sum = 0;
            for (int v = 0; v < 8; v++)
                sum += cosine[y][v] * half[8 * v + x];
            int value = sum / 16384 + 128;
            out[8 * y + x] = (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
}

static int decode_video(const unsigned char *from, int length, unsigned char *out)
{
    int n = 0, at = 0;
    while (at < length && n + 64 <= DECODED) {
        int coefficient[64] = {0}, position = 0;
        while (at < length && from[at] != 255) {
            position += from[at];
            if (at + 1 >= length || position > 63)
                return n; /* damaged, though the checksum was right */
            coefficient[position] = (from[at + 1] - 128) * (position + 9) / 2;
            position++;
            at += 2;
        }
        at++;
        inverse_cosine(coefficient, out + n);
        n += 64;
    }
    return n;
}

static int decode_data(const unsigned char *from, int length, unsigned char *out)
{
    int n = 0;
    for (int at = 0; at < length;) {
        int token = from[at++];
        if (token < 128) {
            int run = token + 1;
            if (at + run > length || n + run > DECODED)
                return n;
            memcpy(out + n, from + at, (size_t)run);
            n += run;
            at += run;
            continue;
        }
        int count = token - 128 + 4;
        if (at >= length || n + count > DECODED)
            return n;
        int back = from[at++] + 1;
        if (back > n)
            return n;
        for (int i = 0; i < count; i++, n++)
            out[n] = out[n - back];
    }
    return n;
}

static void handle(const packet *p, statistics *s, int expected_sequence)
{
    static unsigned char out[3][DECODED];
    const unsigned char *body = p->bytes + HEADER;
    uint32_t sum = 0;
    int produced = 0, accepted = 0;
    header h = {CONTROL, 0, 0, 0};

    #pragma omp parallel num_threads(3) shared(sum, h, produced, accepted)
    {
        #pragma omp sections
        {
            #pragma omp section
            sum = checksum_of(body, p->length - HEADER);
            #pragma omp section
            h = parse_header(p);
        }
        #pragma omp single
        {
            accepted = sum == h.checksum && h.payload == p->length - HEADER;
        }
        #pragma omp sections nowait
        {
            #pragma omp section
            if (accepted && h.type == VOICE) {
                int n = decode_voice(body, h.payload, out[VOICE]);
                #pragma omp critical
                produced += n;
            }
            #pragma omp section
            if (accepted && h.type == VIDEO) {
                int n = decode_video(body, h.payload, out[VIDEO]);
                #pragma omp critical
                produced += n;
            }
            #pragma omp section
            if (accepted && h.type == DATA) {
                int n = decode_data(body, h.payload, out[DATA]);
                #pragma omp critical
                produced += n;
            }
        }
        #pragma omp barrier
        #pragma omp master
        {
            s->packets[h.type]++;
            s->decoded[h.type] += produced;
            s->rejected += !accepted;
            s->sequence_gaps += h.sequence != (expected_sequence & 255);
        }
    }
    for (int i = 0; i < produced; i += 7)
        s->digest = (s->digest ^ out[h.type][i]) * 16777619u;
}

int main(int argc, char **argv)
{
    int packets = argc > 1 ? atoi(argv[1]) : 32000;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    static packet p;
    statistics s;

    memset(&s, 0, sizeof s);
    random_state = 0x9e3779b9u + (uint32_t)seed;
    make_tables();
    for (int n = 0; n < packets; n++) {
        make_packet(&p, n);
        handle(&p, &s, n);
    }
    for (int t = 0; t < TYPES; t++)
        printf("%-7s packets %ld decoded %ld\n", type_name[t], s.packets[t], s.decoded[t]);
    printf("rejected %ld gaps %ld digest %08x\n", s.rejected, s.sequence_gaps, s.digest);
    return 0;
}
