// pipeline [PACKETS]: decodes packets and draws them. Tones take long in one section, noise
// in the other, and silence in none.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "codec.h"
#include "render.h"
#include "table.h"

int main(int argc, char **argv)
{
	int packets = argc > 1 ? std::atoi(argv[1]) : 24;
	if (packets < 1 || packets > 10000) {
		std::fprintf(stderr, "pipeline: %s packets: give 1 to 10000\n", argv[1]);
		return 2;
	}
	unsigned sum = ~0u;
	long total = 0;
	for (int i = 0; i < packets; i++) {
		struct packet p;
		int samples[SAMPLES];
		codec_record(&p, i);
		int n = codec_decode(&p, samples, SAMPLES);
		if (n < 0) {
			std::fprintf(stderr, "pipeline: packet %d is bad\n", i);
			return 1;
		}
		std::vector<int> found;
		std::vector<long> strength;
#pragma omp parallel sections
		{
#pragma omp section
			{
				if (p.channel == 1)
					found = render::peaks(samples, n, 200);
			}
#pragma omp section
			{
				if (p.channel == 0)
					strength = render::bands(samples, n, 24);
			}
		}
		for (int f : found)
			sum = table_sum(sum, f);
		for (long s : strength)
			sum = table_sum(sum, s);
		sum = table_sum(sum, render::overview(samples, n));
		total += n;
		std::printf("packet %3d channel %d bytes %4d peaks %3zu bands %2zu\n", i, p.channel, p.size, found.size(), strength.size());
	}
	std::printf("%d packets, %ld samples, checksum %08x\n", packets, total, sum);
	return 0;
}
