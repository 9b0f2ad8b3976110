package hostfit

// This file makes figures of a processor of the times of chains and streams of single operations
// (suite/figures.c), as they are measured for tables of instructions (A. Abel, J. Reineke, "uops.info",
// ASPLOS 2019): of a chain each operation waits for the one before, which shows latency; of a stream
// none does, which shows how many go on at once.

import (
	"math"

	"pathspan/procmodels/pipeline"
)

const (
	ofChain   = 8 // operations in each repetition
	ofStream  = 16
	ofNothing = 64
	ofQueue   = 32
	ofWindow  = 256 // that do nothing
	// floatLoad is how many cycles a load into a register of floating point takes longer: assumed.
	floatLoad = 2
)

// chains are the classes of pipeline:out-of-order by the chain that shows their latency.
var chains = map[string]string{
	"multiply": "multiply", "divide": "divide", "divide_long": "dividelong", "load": "load", "add_float": "float", "multiply_float": "multiplyfloat",
	"divide_float": "dividefloat", "divide_double": "dividedouble",
}

// streams are unit and class by the stream that shows how many go on at once; of a unit without
// a class operations take a cycle, of a class without a unit there is one that several classes share.
var streams = map[string]struct{ unit, class string }{
	"adds": {"alu", ""}, "multiplies": {"mul", ""}, "loads": {"load", ""}, "stores": {"store", ""}, "adds_float": {"fadd", ""}, "multiplies_float": {"fmul", ""},
	"accesses": {"access", ""}, "divides": {"", "divide"}, "divides_long": {"", "dividelong"}, "divides_float": {"", "dividefloat"}, "divides_double": {"", "dividedouble"}, "roots": {"", "root"},
}

// operations are all that is timed.
var operations = []string{
	"multiply", "divide", "divide_long", "add_float", "multiply_float", "divide_float", "divide_double", "root", "convert", "load", "forward", "forward_float",
	"adds", "multiplies", "divides", "divides_long", "adds_float", "multiplies_float", "divides_float", "divides_double", "roots", "loads", "stores", "converts", "accesses",
	"nothing", "jumps", "queue", "window", "foretold", "chance", "calls",
}

// figuresOf makes figures of the cycles that a repetition of each takes.
func figuresOf(cycles map[string]float64) pipeline.Figures {
	whole := func(x float64, least int) int { return min(max(int(math.Round(x)), least), 10_000) }
	f := pipeline.Figures{Units: map[string]int{}, Latency: map[string]int{}, Occupancy: map[string]int{}}
	for chain, class := range chains {
		f.Latency[class] = whole(cycles[chain]/ofChain, 1)
	}
	f.Latency["loadfloat"] = f.Latency["load"] + floatLoad
	f.Latency["root"] = whole((cycles["root"]-cycles["add_float"])/ofChain, 1) // of a sum
	f.Latency["convert"] = whole(cycles["convert"]/ofChain/2, 1)               // there and back
	for stream, of := range streams {
		each := cycles[stream] / ofStream
		if of.unit == "alu" {
			each = cycles[stream] / (4*ofStream + 1) // with the loop's counter
		}
		if of.class != "" {
			f.Occupancy[of.class] = whole(each, 1)
		} else {
			f.Units[of.unit] = min(whole(1/max(each, 0.1), 1), 16)
		}
	}
	f.Units["fconvert"] = min(whole(2*ofStream/max(cycles["converts"], 1), 1), 16) // there and back
	f.Issue = min(whole((ofNothing+1)/max(cycles["nothing"], 1), 1), 16)           // with the loop's branch
	f.Taken = whole(cycles["jumps"]/(ofStream+1), 1)
	// As many chains of n instructions go on as begin before the first of them ends.
	f.Window = whole(cycles["divide_double"]*(ofChain+ofWindow+2)/max(cycles["window"], 1), 16)
	// Instruction k of a chain of n is taken in k/n of a chain's time T behind the first and begins k latencies L behind it, so
	// there are (n-1)/2 (n L/T - 1) that wait.
	f.Waiting = whole((ofQueue-1)/2.*(ofQueue*cycles["add_float"]/ofChain/max(cycles["queue"], 1)-1), 1)
	f.Occupancy["jump"] = whole(cycles["calls"]/ofChain/2, 1) // a call and its return
	f.Forward = whole(cycles["forward"]/ofChain-1, 0)
	f.ForwardFloat = whole((cycles["forward_float"]-cycles["add_float"])/ofChain, 0)
	// Every other branch of chance is foretold wrongly; a test stands between what it waits for and
	// the branch.
	f.Penalty = whole(2*(cycles["chance"]-cycles["foretold"])-1, 0)
	return f
}
