/*
 * This file mixes audio tracks block by block: a voice with its chain of effects,
 * music that ducks under the voice, and a meter, each in a section. C++ with
 * virtual calls, containers, templates, and exceptions thrown and caught inside a
 * section.
 *
 *   mixer [BLOCKS [SPEECH_PERCENT]]     default: 45000 40
 *
 * Correlation. Whether someone speaks in a block decides:
 *   section 1 (voice) runs the effects when there is speech, nothing otherwise
 *   section 2 (music) is only scaled down under speech, but runs its own effects
 *             when there is none: excludes section 1's heavy work
 *   section 3 (meter of the block before) always does the same work
 * A damaged block (1 in 100) makes a section throw; it then plays silence.
 *
 * Expectation. Sections 1 and 2 are negatively correlated, so on two processors
 * it costs nothing to put both on one of them and the meter on the other: PB
 * finds that as good as three processors. AT believes each of the two to be half
 * as heavy all the time and rates separating them higher; MT adds both at their
 * heaviest and rates it much higher.
 */
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kBlock = 256;
using Samples = std::array<std::int32_t, kBlock>;

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint32_t next()
    {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state_ >> 33);
    }
    bool chance(unsigned percent) { return next() % 100 < percent; }

private:
    std::uint64_t state_;
};

template <typename T>
T clamp_to(T value, T limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

class Effect {
public:
    virtual ~Effect() = default;
    virtual void apply(Samples &block) = 0;
};

class Gain : public Effect {
public:
    explicit Gain(int percent) : percent_(percent) {}
    void apply(Samples &block) override
    {
        for (auto &s : block)
            s = s * percent_ / 100;
    }

private:
    int percent_;
};

class Echo : public Effect {
public:
    Echo(std::size_t delay, int percent) : line_(delay), percent_(percent) {}
    void apply(Samples &block) override
    {
        for (auto &s : block) {
            s = clamp_to(s + line_[at_] * percent_ / 100, 32767);
            line_[at_] = s;
            at_ = at_ + 1 == line_.size() ? 0 : at_ + 1;
        }
    }

private:
    std::vector<std::int32_t> line_;
    int percent_;
    std::size_t at_ = 0;
};

/* A filter with N taps; the history outlives the block. */
template <std::size_t N>
class Filter : public Effect {
public:
    explicit Filter(const std::array<int, N> &taps) : taps_(taps) {}
    void apply(Samples &block) override
    {
        for (auto &s : block) {
            std::rotate(history_.rbegin(), history_.rbegin() + 1, history_.rend());
            history_[0] = s;
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < N; k++)
                sum += std::int64_t{taps_[k]} * history_[k];
            s = static_cast<std::int32_t>(sum / 256);
        }
    }

private:
    std::array<int, N> taps_;
    std::array<std::int32_t, N> history_{};
};

/* Lowers what is above a threshold, following the loudness slowly. */
class Compressor : public Effect {
public:
    void apply(Samples &block) override
    {
        for (auto &s : block) {
            loudness_ += (std::abs(s) - loudness_) / 16;
            if (loudness_ > 8000)
                s = s * 8000 / loudness_;
        }
    }

private:
    int loudness_ = 0;
};

class damaged_block : public std::runtime_error {
public:
    explicit damaged_block(std::size_t at)
        : std::runtime_error("damaged sample " + std::to_string(at))
    {
    }
};

class Track {
public:
    void add(std::unique_ptr<Effect> effect) { effects_.push_back(std::move(effect)); }
    /* Throws damaged_block when a sample is out of range. */
    void play(Samples &block)
    {
        for (std::size_t i = 0; i < block.size(); i++)
            if (std::abs(block[i]) > 32767)
                throw damaged_block(i);
        for (auto &effect : effects_)
            effect->apply(block);
    }

private:
    std::vector<std::unique_ptr<Effect>> effects_;
};

struct Meter {
    std::int32_t peak = 0;
    std::int64_t energy = 0;
    std::array<long, 16> levels{};

    void measure(const Samples &block)
    {
        std::int64_t sum = 0;
        for (auto s : block) {
            peak = std::max(peak, std::abs(s));
            sum += std::int64_t{s} * s;
            levels[static_cast<std::size_t>(std::min(std::abs(s) >> 11, 15))]++;
        }
        energy += sum / static_cast<std::int64_t>(kBlock);
    }
};

void make_block(Samples &block, Random &random, int loudness)
{
    std::int32_t s = 0;
    for (auto &sample : block) {
        s = s * 7 / 8 + static_cast<std::int32_t>(random.next() % 4001) - 2000;
        sample = clamp_to(s * loudness / 4, 32767);
    }
    if (random.chance(1))
        block[random.next() % kBlock] = 1 << 20;
}

class Mixer {
public:
    Mixer()
    {
        voice_.add(std::make_unique<Filter<12>>(
            std::array<int, 12>{9, 14, 22, 30, 36, 40, 36, 30, 22, 14, 9, -6}));
        voice_.add(std::make_unique<Compressor>());
        voice_.add(std::make_unique<Echo>(1900, 30));
        music_.add(std::make_unique<Filter<16>>(
            std::array<int, 16>{2, 4, 8, 16, 24, 32, 40, 44, 40, 32, 24, 16, 8, 4, 2, -8}));
        music_.add(std::make_unique<Echo>(700, 20));
    }

    void process(Samples &voice, Samples &music, bool speech)
    {
        int voice_faults = 0, music_faults = 0;
        Meter &meter = meter_;
        const Samples &before = mixed_;

        #pragma omp parallel sections num_threads(3) default(shared)
        {
            #pragma omp section
            {
                if (speech) {
                    try {
                        voice_.play(voice);
                    } catch (const damaged_block &) {
                        voice_faults = 1;
                        voice.fill(0);
                    }
                } else {
                    voice.fill(0);
                }
            }
            #pragma omp section
            {
                if (speech) {
                    ducked_.apply(music);
                } else {
                    try {
                        music_.play(music);
                    } catch (const std::exception &) {
                        music_faults = 1;
                        music.fill(0);
                    }
                }
            }
            #pragma omp section
            {
                meter.measure(before);
            }
        }
        for (std::size_t i = 0; i < kBlock; i++) {
            mixed_[i] = clamp_to(voice[i] + music[i], 32767);
            digest_ = (digest_ ^ static_cast<std::uint32_t>(mixed_[i])) * 16777619u;
        }
        faults_ += voice_faults + music_faults;
    }

    void report() const
    {
        std::printf("peak %d energy %lld faults %d digest %08x\n", meter_.peak,
                    static_cast<long long>(meter_.energy), faults_, digest_);
        for (std::size_t i = 0; i < meter_.levels.size(); i++)
            std::printf("%ld%c", meter_.levels[i], i + 1 < meter_.levels.size() ? ' ' : '\n');
    }

private:
    Track voice_, music_;
    Gain ducked_{25};
    Meter meter_;
    Samples mixed_{};
    int faults_ = 0;
    std::uint32_t digest_ = 2166136261u;
};

} // namespace

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? std::atoi(argv[1]) : 45000;
    int percent = argc > 2 ? std::atoi(argv[2]) : 40;
    if (percent < 0 || percent > 100) {
        std::fprintf(stderr, "mixer: the share of speech must be 0 to 100 percent\n");
        return 2;
    }
    Random random(2718281828u);
    Mixer mixer;
    Samples voice{}, music{};
    int spoken = 0;
    for (int n = 0; n < blocks; n++) {
        bool speech = random.chance(static_cast<unsigned>(percent));
        make_block(voice, random, 6);
        make_block(music, random, 3);
        mixer.process(voice, music, speech);
        spoken += speech;
    }
    std::printf("blocks %d spoken %d\n", blocks, spoken);
    mixer.report();
    return 0;
}
