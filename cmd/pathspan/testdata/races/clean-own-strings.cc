#include <cstdio>
#include <string>
#include <vector>
int main() {
  std::vector<std::string> rows(100);
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    std::string s;
    for (int j = 0; j <= i; j++) s += char('a' + j % 26);
    rows[i] = s;
  }
  size_t n = 0;
  for (auto &r : rows) n += r.size();
  printf("%zu\n", n);
}
