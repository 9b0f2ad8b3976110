/*
 * This file has nothing that could run in parallel.
 */
static volatile unsigned sink;

int main(void)
{
    for (int i = 0; i < 1000; i++)
        sink += i * 3u;
    return 0;
}
