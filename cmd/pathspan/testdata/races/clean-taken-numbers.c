#include <stdio.h>
static int next, out[100], last;
int main(void) {
#pragma omp parallel
  {
    for (;;) {
      int mine;
#pragma omp atomic capture
      mine = next++;
      if (mine >= 100) break;
      out[mine] = mine * 3;
      if (mine == 99) last = mine;
    }
  }
  printf("%d %d\n", out[9], last);
}
