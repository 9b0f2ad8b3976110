// This file moves particles through cells: loops over iterators, and tasks over the
// elements of lists and maps.
//
//   particles [COUNT [STEPS]]     default: 2000 6
//
// Constructs. Parallel loops over random-access iterators of vectors (with < and !=), over
// ranges, over a class's own iterator, upwards and downwards; tasks with an iterator as
// firstprivate, over a list and a map; taskloop with grainsize and with num_tasks; taskgroup;
// exceptions caught inside of a loop and of a task; objects with constructors as private,
// firstprivate and reduction; a loop in a template and one in a method.
//
// What is hard. What is one statement in the source is many calls in the module, inlined
// or not, with clean-up on every way out. Particles gather, so that a few cells have most
// of them, and a cell costs the square of what it holds: tasks over cells differ a
// thousandfold, and the map gives them out in the order of their places, not of their
// work. Each step the gathering goes on, so early steps are even and late ones are not.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <list>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr int cells = 16, scale = 1 << 12, largest = 200000;

struct particle {
    std::int64_t x, y, vx, vy;
    int id;
};

struct cell {
    std::vector<const particle *> inside;
    std::int64_t pull_x = 0, pull_y = 0, pairs = 0;
};

using place = std::pair<int, int>;

std::uint32_t random_state = 5171;

int random_below(int limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return static_cast<int>((random_state >> 9) % static_cast<std::uint32_t>(limit));
}

// A sum with a constructor, so that each thread's own must be made and unmade.
class total {
public:
    total() = default;
    ~total() {}
    void add(std::int64_t v) { sum_ += v, count_++; }
    void add(const total &o) { sum_ += o.sum_, count_ += o.count_; }
    std::int64_t sum() const { return sum_; }
    std::int64_t count() const { return count_; }

private:
    std::int64_t sum_ = 0, count_ = 0;
};

#pragma omp declare reduction(add : total : omp_out.add(omp_in)) initializer(omp_priv = total())

// Every third element of a vector, as an iterator of its own.
class third {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = particle;
    using difference_type = std::ptrdiff_t;
    using pointer = const particle *;
    using reference = const particle &;
    explicit third(const particle *at) : at_(at) {}
    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    third &operator++() { at_ += 3; return *this; }
    third &operator+=(difference_type n) { at_ += 3 * n; return *this; }
    difference_type operator-(const third &o) const { return (at_ - o.at_) / 3; }
    bool operator<(const third &o) const { return at_ < o.at_; }

private:
    const particle *at_;
};

place place_of(const particle &p)
{
    auto index = [](std::int64_t v) { return static_cast<int>(((v % (cells * scale) + cells * scale) % (cells * scale)) / scale); };
    return {index(p.x), index(p.y)};
}

class swarm {
public:
    explicit swarm(int count)
    {
        for (int i = 0; i < count; i++)
            particles_.push_back({random_below(cells * scale), random_below(cells * scale), random_below(401) - 200, random_below(401) - 200, i});
    }

    // Moves all, and draws them to the middle; those that fly too fast are thrown out of the loop body.
    long move()
    {
        long thrown = 0;
        #pragma omp parallel for schedule(static) reduction(+ : thrown)
        for (auto p = particles_.begin(); p < particles_.end(); ++p) {
            try {
                p->vx += (cells * scale / 2 - p->x) / 64;
                p->vy += (cells * scale / 2 - p->y) / 64;
                check(*p);
                p->x += p->vx;
                p->y += p->vy;
            } catch (const std::range_error &) {
                p->vx /= 4;
                p->vy /= 4;
                thrown++;
            }
        }
        return thrown;
    }

    // Sorts particles into cells, sequentially, and pulls in tasks, one for each cell that has any.
    std::int64_t pull()
    {
        std::map<place, cell> grid;
        for (const particle &p : particles_)
            grid[place_of(p)].inside.push_back(&p);
        #pragma omp parallel
        #pragma omp single
        #pragma omp taskgroup
        for (auto c = grid.begin(); c != grid.end(); ++c) {
            #pragma omp task firstprivate(c) if (c->second.inside.size() > 1)
            attract(c->second);
        }
        std::int64_t pairs = 0;
        for (auto &entry : grid) {
            pairs += entry.second.pairs;
            for (const particle *p : entry.second.inside) {
                particles_[static_cast<std::size_t>(p->id)].vx += entry.second.pull_x / 256;
                particles_[static_cast<std::size_t>(p->id)].vy += entry.second.pull_y / 256;
            }
        }
        return pairs;
    }

    total energy() const
    {
        total e;
        #pragma omp parallel for schedule(dynamic, 64) reduction(add : e)
        for (auto p = particles_.rbegin(); p != particles_.rend(); ++p)
            e.add(p->vx * p->vx + p->vy * p->vy);
        return e;
    }

    // Over a range, and over the class's own iterator.
    std::uint64_t sample() const
    {
        std::uint64_t all = 0, some = 0;
        #pragma omp parallel for schedule(guided) reduction(^ : all)
        for (const particle &p : particles_)
            all ^= static_cast<std::uint64_t>(p.x * 31 + p.y) * 0x9e3779b97f4a7c15u;
        const particle *first = particles_.data();
        third end(first + particles_.size() / 3 * 3);
        #pragma omp parallel for schedule(static, 16) reduction(+ : some)
        for (third p = third(first); p < end; ++p)
            some += static_cast<std::uint64_t>(p->id) * static_cast<std::uint64_t>(p->x);
        return all + some;
    }

    // Two loops in tasks: chunks of at least 100 particles, then four shares.
    long count_near(int limit) const
    {
        std::vector<char> near(particles_.size());
        long counted[4] = {0};
        int n = static_cast<int>(particles_.size());
        #pragma omp parallel
        #pragma omp single
        {
            #pragma omp taskloop grainsize(100) shared(near)
            for (std::size_t i = 0; i < near.size(); i++) {
                std::int64_t dx = particles_[i].x - cells * scale / 2;
                near[i] = dx < limit && dx > -limit;
            }
            #pragma omp taskloop num_tasks(4) shared(near, counted)
            for (int part = 0; part < 4; part++)
                counted[part] = std::count(near.begin() + n * part / 4, near.begin() + n * (part + 1) / 4, 1);
        }
        return counted[0] + counted[1] + counted[2] + counted[3];
    }

private:
    static void check(const particle &p)
    {
        if (p.vx > 1800 || p.vx < -1800 || p.vy > 1800 || p.vy < -1800)
            throw std::range_error("too fast");
    }

    // All pairs of a cell: its cost is the square of what it holds.
    static void attract(cell &c)
    {
        for (auto a = c.inside.begin(); a != c.inside.end(); ++a)
            for (auto b = std::next(a); b != c.inside.end(); ++b) {
                std::int64_t dx = (*b)->x - (*a)->x, dy = (*b)->y - (*a)->y;
                std::int64_t away = 64 + (dx * dx + dy * dy) / scale;
                c.pull_x += dx * 16 / away;
                c.pull_y += dy * 16 / away;
                c.pairs++;
            }
    }

    std::vector<particle> particles_;
};

// Tasks over a list, each of which may fail; what is caught is counted.
template <typename T>
long try_all(std::list<T> &work, T limit)
{
    long failed = 0;
    #pragma omp parallel
    #pragma omp single
    for (auto w = work.begin(); w != work.end(); ++w) {
        #pragma omp task firstprivate(w, limit) shared(failed)
        try {
            if (*w % 7 == 3)
                throw std::runtime_error("seven");
            while (*w > limit)
                *w -= *w / 3;
        } catch (const std::runtime_error &) {
            #pragma omp atomic
            failed++;
        }
    }
    return failed;
}

} // namespace

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 2000, steps = argc > 2 ? std::atoi(argv[2]) : 6;
    if (count < 16 || count > largest || steps < 1) {
        std::fprintf(stderr, "usage: particles [COUNT (16 to %d) [STEPS]]\n", largest);
        return 2;
    }
    swarm s(count);
    for (int step = 0; step < steps; step++) {
        long thrown = s.move();
        std::int64_t pairs = s.pull();
        total e = s.energy();
        std::printf("step %d: %lld pairs, %ld thrown, energy %lld of %lld, near %ld\n", step, static_cast<long long>(pairs), thrown,
                    static_cast<long long>(e.sum()), static_cast<long long>(e.count()), s.count_near(4 * scale));
    }
    std::list<long> work;
    for (int i = 0; i < 60; i++)
        work.push_back(random_below(1000000));
    long failed = try_all(work, 100L), left = 0;
    for (long w : work)
        left += w;
    std::printf("sample %016llx, %ld failed, %ld left\n", static_cast<unsigned long long>(s.sample()), failed, left);
    return 0;
}
