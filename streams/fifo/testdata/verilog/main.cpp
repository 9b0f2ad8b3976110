// Two cycles of reset, then a clock until all networks are over.
#include "Vtop.h"
#include "verilated.h"

int main() {
  Vtop top;
  for (long cycle = 0; cycle < 100000 && !Verilated::gotFinish(); cycle++) {
    top.rst = cycle < 2;
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
  }
  return !Verilated::gotFinish();
}
