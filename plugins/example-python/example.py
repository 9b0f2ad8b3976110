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
        cost = Cost()
        for i in block.instructions:
            if i.HasField("call") and not i.call.defined:
                cost.assume(f"call of {i.call.name or 'a pointer'}: not modelled", CYCLES["call"])
            elif i.opcode not in CYCLES and i.opcode != "load":
                cost.assume(f"opcode {i.opcode} {i.type}: no weight", 1)
            else:
                cost.cycles += CYCLES.get(i.opcode, self.load)
        if loads := sum(i.opcode == "load" for i in block.instructions):
            cost.best, cost.worst = cost.cycles, cost.cycles + loads * self.miss
            cost.vary("latency of loads", 0, loads * self.miss)
        return cost


serve(Example)
