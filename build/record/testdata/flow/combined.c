/* Code between statements combines more pairs of their values than there are executions that are kept. */
enum { N = 2100 };
static int a[N], b[N], c[N], seen;
__attribute__((noinline)) static int source(int i) { return 3 * i % 97; }
__attribute__((noinline)) static void sink(int v) { seen ^= v; }
int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = source(i);
    for (int i = 0; i < N; i++)
        b[i] = source(i);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[j] = a[i] ^ b[j];
    for (int j = 0; j < N; j++)
        sink(c[j]);
    return seen & 0x80000000;
}
