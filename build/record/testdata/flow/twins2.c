static int helper(int v) { return v + 3; }
int other(int v) { return helper(v); }
