// Strengths of tones, by multiplying with square waves.
#include <algorithm>
#include <functional>

#include "render.h"

namespace render {

std::vector<long> bands(const int *samples, int n, int count)
{
	std::vector<long> strength;
	if (std::all_of(samples, samples + n, [](int s) { return s > -50 && s < 50; }))
		return strength;
	for (int b = 1; b <= count; b++) {
		long in = 0, quarter = 0;
		for (int i = 0; i < n; i++) {
			int phase = 4 * b * i / n % 4;
			in += phase < 2 ? samples[i] : -samples[i];
			quarter += phase == 1 || phase == 2 ? samples[i] : -samples[i];
		}
		strength.push_back((in < 0 ? -in : in) + (quarter < 0 ? -quarter : quarter));
	}
	std::sort(strength.begin(), strength.end(), std::greater<long>());
	return strength;
}

} // namespace render
