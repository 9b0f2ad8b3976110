// Package replay runs a program once and simulates mappings as it runs: exact
// replay, the reference that estimates are judged against.
//
// The costed module is linked with meters (build/probe), which add up what the blocks
// cost that execute, on each kind of processor, and hand the sums over where a region
// or a section begins or ends. A [Simulator] is fed with these events and keeps what
// is under way on a stack:
//
//	plan, err := replay.NewPlan(program, root, costs)
//	sim := replay.NewSimulator(plan, platform, resolved)
//	err = replay.Read(events, plan, sim)
//	fmt.Println(sim.Sequential(), sim.Parallel())
//
// Each execution of a region is scheduled with its own times: nothing is averaged, and
// nothing of the numbering of paths is used. What is left of the model are the costs
// of blocks and the overheads.
//
// # Worksharing loops
//
// A program tells where each iteration of a loop begins, how many there are and of how many a
// chunk is. When an execution of the loop has ended, its iterations, each with its own work
// and all that is inside, are shared among the threads that the mapping says, by its schedule
// (mapping/loops), from when their tasks are created. Each thread then counts as a section.
// Up to 65,536 cut points are kept of an execution; of more iterations, neighbours are joined.
// What was executed in a nested region inside an iteration is told in that region's
// distribution as on the loop's first thread.
//
// # Tasks
//
// A program tells where tasks begin and end, which run where they are made, where it waits
// for them, and for which elder siblings one waits. When a construct has ended whose sections
// made tasks, it is simulated on the processors of its region's team and those of its
// sections, as LLVM's run-time library runs tasks (openmp/runtime/src/kmp_tasking.cpp):
//
//   - Every processor creates first, and synchronises when all has ended.
//
//   - Who makes a task puts it behind the others in its own list, of up to 256, and goes on;
//     if the list is full it executes the task at once. A task whose if clause is false is
//     executed at once.
//
//   - Who has nothing to do, or waits, takes the last task of its own list; if there is none,
//     the first of another's: of whom it took from last, else of the next one in the order of
//     the team that has one. Inside of a task only what this led to is taken (the task
//     scheduling constraint), untied ones too.
//
//   - A taskwait waits for the children of the task, or for those that it depends on; the end
//     of a taskgroup for all tasks made inside, and by these. A task that waits for others
//     comes into the list of who ends the last of them.
//
//   - Tasks that the mapping keeps to some processors go into the list of the first of these
//     from the maker on, whatever its length, and only these take them, amid any task.
//
//   - On equal times the processor that comes first in the team acts first. libomp steals by
//     chance instead.
//
// Threads of a loop take chunks, as above, and make the tasks of their iterations; who asks for a
// lock waits for it, and does nothing else meanwhile. A region that is met inside stays on its
// processor, and tasks that are made in it run where they are made. Events of a construct are
// kept until it ends, up to 512 MiB.
//
// # Memory
//
// Where there is memory ([Simulator.Through]), each access goes through the caches of the
// processor that executes it: lines that another processor wrote leave a cache when they are
// written, caches replace the line used longest ago, and what a lane waits adds to what it takes.
//
// A region of several processors is kept until it ends, up to 512 MiB of events and accesses. It is
// then simulated in the order of time, access by access; those between two events lie at even
// distances, each waits until main memory has served those before it, and who finds a line that
// is still on its way to a shared cache waits until it is there.
//
// An execution with more is an error where tasks are made, locks taken, chunks taken as threads come to
// them, or regions compete. Else it is known beforehand who executes what: its accesses are played as
// they come, in the order of the sequential program. That lanes beside each other use a shared cache
// in turns is not seen then, lines that go back and forth are lost once, and a construct takes no less than
// main memory is busy for it, where that serves one access at a time.
//
// Processors with memories of their own copy what their sections read of others before the first,
// and what others read of theirs behind the last, in pieces of 16 bytes, where it is known beforehand
// who executes what. What others will read is known only when they do, so an execution is scheduled
// when all that it wrote has been read or written again; those of a construct share the links.
//
// Executions of stages of pipelines copy before they begin what they read of others, where no other task is made
// and no section is spread; code outside of stages copies what it reads of theirs when it reads it.
//
// # Regions within regions
//
// A region is active where one of its sections, of whichever construct, is mapped to another
// processor than the one that meets the region. A region met inside an active one stays on
// the processor that meets it, section after section and without overheads, unless the
// mapping names it. Named ones compete for the processors with all that these have to do,
// as in the run-time library of measured programs (build/runtime/team.c):
//
//   - A processor does one thing at a time, and has a queue of shares that others have sent
//     it, in order of arrival.
//
//   - Who meets a construct of an active region sends every other processor its share, which
//     is all its sections that run, in schedule order. It then runs its own share, if it has
//     one, and waits until all have ended.
//
//   - A share takes creating before its first section and synchronising after its last, on the
//     processor that runs it, where the construct has a section on another processor than the
//     one that meets it.
//
//   - A processor that waits takes shares from its queue meanwhile. It runs each to its end,
//     whatever it meets inside, and only then looks at what it waits for. An idle one takes
//     what arrives.
//
//   - What a region does outside its constructs runs on the processor that meets it, between
//     them; what it does between two sections of one construct counts behind the construct.
//
//   - On equal times the processor with the lower number acts first, until it does something
//     that takes time, or waits.
//
//   - Of a loop, each processor's share is a thread, which takes chunks as it comes to them.
//
// So a region that competes takes from when it is met to when it has ended, waiting
// included. Differently from that library, whose threads enter a region once, shares are sent
// for each construct; a region of one construct, which parallel sections are, is the same.
//
// Such times are known only at the end of the outermost active region. Until then its
// events are kept, up to 512 MiB; past that a region that competes is an error, and one that
// does not needs none of them.
//
// The package builds and runs nothing; build/record does.
package replay
