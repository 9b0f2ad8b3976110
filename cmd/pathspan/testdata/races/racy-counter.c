#include <stdio.h>
int events; // race: events
static void note(void) { events++; }
static void some(int n) {
  for (int i = 0; i < n; i++) note();
}
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    some(10);
#pragma omp section
    some(20);
  }
  printf("%d\n", events);
  return 0;
}
