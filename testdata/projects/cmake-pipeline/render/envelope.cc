// Envelopes and peaks.
#include <algorithm>
#include <cstdlib>

#include "render.h"

namespace render {

std::vector<int> peaks(const int *samples, int n, int level)
{
	std::vector<int> found;
	for (int i = 1; i + 1 < n; i++) {
		if (std::abs(samples[i]) < level)
			continue;
		int around = 0;
		for (int k = std::max(0, i - 20); k < std::min(n, i + 20); k++)
			around += std::abs(samples[k]) / (1 + std::abs(k - i));
		found.push_back(around);
	}
	return found;
}

std::vector<int> envelope(const int *samples, int n, int width)
{
	std::vector<int> top;
	for (int i = 0; i < n; i += width) {
		int most = 0;
		for (int k = i; k < std::min(n, i + width); k++)
			most = std::max(most, std::abs(samples[k]));
		top.push_back(most);
	}
	for (size_t i = 1; i < top.size(); i++)
		top[i] = (top[i - 1] + 3 * top[i]) / 4;
	return top;
}

static long height(const std::vector<int> &top)
{
	long sum = 0;
	for (int t : top)
		sum += t;
	return sum;
}

long overview(const int *samples, int n)
{
	long left = 0, right = 0;
#pragma omp parallel sections
	{
#pragma omp section
		left = height(envelope(samples, n / 2, 4));
#pragma omp section
		right = height(envelope(samples + n / 2, n - n / 2, 8));
	}
	return left - right;
}

} // namespace render
