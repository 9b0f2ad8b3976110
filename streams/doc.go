// Package streams holds what a run told of the flow of data between statements: a statement
// is a call in the program's source, and each time that it was executed the trace knows which
// executions before it wrote what it read. So no addresses are needed behind the run:
//
//	for (i = 0; i < 2; i++) { a[i] = source(); }   executions 0 and 1 of statement 0
//	for (i = 0; i < 2; i++) { sink(a[i]); }        execution 2 reads 0, execution 3 reads 1
//
// It prices nothing and schedules nothing: package flow does.
package streams
