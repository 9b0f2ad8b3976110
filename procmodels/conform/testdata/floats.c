// Floating-point and vector code for the conformance kit.
typedef float v4 __attribute__((vector_size(16)));
struct particle { double x, y; float mass; v4 spin; };

double norm(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i] * p[i];
  return __builtin_sqrt(s);
}

void step(struct particle *p, int n, float dt) {
  for (int i = 0; i < n; i++) {
    p[i].x += p[i].y * dt / p[i].mass;
    p[i].spin = p[i].spin * p[i].spin + p[i].spin;
  }
}

int convert(float f, double d, long l) { return (int)f + (int)(d < 0 ? -d : d) + (int)(l * 0.5); }
