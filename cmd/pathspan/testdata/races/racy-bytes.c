#include <string.h>
char text[64]; // race: text
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 30; i++) memset(text + i, 'a' + i, 2);
  return text[0] == 'z';
}
