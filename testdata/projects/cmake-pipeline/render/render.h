// Pictures of samples.
#ifndef RENDER_H
#define RENDER_H

#include <vector>

namespace render {

// peaks finds where the samples pass a level, with what lies around.
std::vector<int> peaks(const int *samples, int n, int level);

// envelope is the largest of every so many samples, smoothed.
std::vector<int> envelope(const int *samples, int n, int width);

// bands measures the strength of tones, strongest first; silence has none.
std::vector<long> bands(const int *samples, int n, int count);

// overview draws the envelopes of both halves of the samples, each in a section.
long overview(const int *samples, int n);

} // namespace render

#endif
