/* A checksum by table, made when it is first asked for. */
#include "table.h"

static unsigned table[256];

unsigned table_sum(unsigned sum, long value)
{
	if (!table[1])
		for (unsigned i = 0; i < 256; i++) {
			unsigned c = i;
			for (int k = 0; k < 8; k++)
				c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
			table[i] = c;
		}
	for (int i = 0; i < 8; i++)
		sum = table[(sum ^ (unsigned)(value >> 8 * i)) & 255] ^ sum >> 8;
	return sum;
}
