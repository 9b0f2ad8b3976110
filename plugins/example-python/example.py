#!/usr/bin/python3
"""A small in-order core: a weight an opcode, and loads that may miss."""

from pathspan_model import Cost, Model, serve

CYCLES = {"add": 1, "sub": 1, "and": 1, "or": 1, "xor": 1, "shl": 1, "lshr": 1, "ashr": 1,
          "icmp": 1, "select": 1, "zext": 1, "sext": 1, "trunc": 0, "phi": 0, "bitcast": 0,
          "mul": 3, "sdiv": 20, "udiv": 18, "srem": 23, "urem": 21, "store": 1, "alloca": 0,
          "getelementptr": 1, "br": 2, "switch": 6, "call": 4, "ret": 4, "unreachable": 0}


class Example(Model):
    name, kind, version = "example-python", "example", "1"
    unit = "one clock cycle; caches and library functions are not in it"
    source = "assumption: an example, of no product"
    additive = True
    factors = {"latency of loads": True}

    def setup(self, parameters):
        self.load = parameters.number("load", 2, "cycles of a load that hits")
        self.miss = parameters.number("miss", 10, "cycles more of a load at worst")

    def cost(self, block):
        cost, loads = Cost(), 0
        for i in block.instructions:
            if i.opcode == "load":
                cost.cycles += self.load
                loads += 1
            elif i.opcode in CYCLES:
                cost.cycles += CYCLES[i.opcode]
            else:
                cost.assume(f"opcode {i.opcode} {i.type}: no weight", 1)
        if loads:
            cost.best, cost.worst = cost.cycles, cost.cycles + loads * self.miss
            cost.vary("latency of loads", 0, loads * self.miss)
        return cost


serve(Example)
