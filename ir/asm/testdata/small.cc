// C++ without big headers: exceptions, virtual calls, templates, lambdas,
// guards of static locals, thread-locals with destructors.
extern "C" int printf(const char *, ...);
struct Error { int code; };
struct Base { virtual ~Base() {} virtual int area() const { return 0; } };
struct Square final : Base { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
struct Guard { int &n; explicit Guard(int &r) : n(r) { ++n; } ~Guard() { --n; } };
static int depth;
thread_local Square mine(3);
template <class T, int N> struct Array { T v[N]; T &at(int i) { if (i < 0 || i >= N) throw Error{i}; return v[i]; } };
inline int &counter() { static Array<int, 4> a{}; return a.at(1); }
int risky(int n) {
  Guard g(depth);
  if (n > 3) throw n;
  if (n < 0) throw Error{n};
  return n + counter();
}
int caught(int n) {
  try {
    Guard g(depth);
    auto add = [&](int k) { return risky(n + k); };
    return add(1) + add(2);
  } catch (int i) {
    return i;
  } catch (const Error &e) {
    try { return risky(e.code + 10); } catch (...) { throw; }
  }
}
void fixed(int n) noexcept { risky(n); }
int total(Base *const *shapes, int n) { int s = 0; for (int i = 0; i < n; i++) s += shapes[i]->area(); return s + mine.side; }
int main(int argc, char **) {
  Square s(argc), t(2);
  Base *shapes[] = {&s, &t};
  printf("%d\n", total(shapes, 2));
  try { return caught(argc); } catch (int) { return 1; }
}
