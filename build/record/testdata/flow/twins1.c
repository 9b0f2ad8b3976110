static int helper(int v) { return v + 1; }
int other(int v);
int main(void) { return helper(1) + other(2) > 99; }
