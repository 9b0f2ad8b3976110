// Packs an image as runs: a length, then a value.
#include <cstring>
#include <vector>

#include "pack.h"

namespace {

class Packer {
public:
	void add(unsigned char value)
	{
		if (length_ > 0 && value == value_ && length_ < 255) {
			length_++;
			return;
		}
		flush();
		value_ = value;
		length_ = 1;
	}

	void flush()
	{
		if (length_ == 0)
			return;
		bytes_.push_back(static_cast<unsigned char>(length_));
		bytes_.push_back(value_);
		length_ = 0;
	}

	const std::vector<unsigned char> &bytes() const { return bytes_; }

private:
	std::vector<unsigned char> bytes_;
	int length_ = 0;
	unsigned char value_ = 0;
};

} // namespace

unsigned long pack_image(const struct image *im, unsigned long *sum)
{
	Packer packer;
	for (int i = 0; i < im->width * im->height; i++)
		packer.add(im->pixel[i]);
	packer.flush();
	const std::vector<unsigned char> &bytes = packer.bytes();
	for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
		unsigned long word;
		std::memcpy(&word, &bytes[i], 8);
		*sum = fold(*sum, word);
	}
	return bytes.size();
}
