#include <stdio.h>
static int own;
#pragma omp threadprivate(own)
int main(void) {
  int total = 0, given = 4;
#pragma omp parallel firstprivate(given)
  {
    own = given;
    own++;
    given += own;
#pragma omp atomic
    total += given;
  }
  printf("%d\n", total > 0);
}
