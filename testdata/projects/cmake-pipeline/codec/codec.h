/* Packets of samples: differences in a variable number of bytes. */
#ifndef CODEC_H
#define CODEC_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SAMPLES = 256, BYTES = 3 * SAMPLES + 8 };

struct packet {
	int channel, size, samples;
	unsigned char bytes[BYTES];
};

/* Records a packet: tones in even channels, noise in odd ones, silence in some. */
void codec_record(struct packet *p, int number);

/* Adds samples to a packet. */
void codec_encode(struct packet *p, const int *samples, int n);

/* Decodes at most n samples and returns how many there were, -1 for a bad packet. */
int codec_decode(const struct packet *p, int *samples, int n);

#ifdef __cplusplus
}
#endif
#endif
