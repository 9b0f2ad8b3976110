#include <stdlib.h>
struct node { // race: head
  struct node *next;
  int value;
} *head;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 50; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  return head->value == 3;
}
