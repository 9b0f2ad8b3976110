// What a program of recorded loops shares with the recorder.
#ifdef __cplusplus
extern "C" {
#endif

enum { most_threads = 8, most_values = 1 << 16 };

// play names the loop that follows, its team, and the clock that it is played on: when
// each thread comes and how much longer each takes than the work of an iteration. Without
// turns, threads do not wait for each other's clocks: a thread that waits in an ordered
// region for one whose static share comes first would never see it come.
void play(int loop, int threads, unsigned seed, const long *start, const long *speed, int turns);

// saw notes that the calling thread executes the body of a loop for a value.
void saw(long long value);

// played prints what the loop was seen to do.
void played(void);

int team(void);

#ifdef __cplusplus
}
#endif
