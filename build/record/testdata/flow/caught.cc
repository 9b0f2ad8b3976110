/* Statements that exceptions leave, and values in a container of the library. */
#include <vector>
#include <stdexcept>
static int risky(int v) { if (v == 2) throw std::runtime_error("two"); return v + 1; }
template <class T> static T twice(T v) { return v + v; }
int main() {
  std::vector<int> a(4);
  int n = 0;
  for (int i = 0; i < 4; i++) {
    try { a[i] = risky(i); } catch (const std::exception &) { n++; a[i] = 0; }
  }
  int s = 0;
  for (int i = 0; i < 4; i++) s += twice(a[i]);
  return s == 0 ? n : 0;
}
