package plan

// This file says which constructs plans have, and which clauses each takes.

import (
	"slices"
	"strings"
)

// form is what a construct stands before.
type form int

const (
	loopForm     form = iota // a for statement
	sectionsForm             // statements that follow each other, a section each
	blockForm                // statements of one block
	pointForm                // nothing: it stands by itself
	stagesForm               // statements of a loop that follow each other, a stage each
)

// kind is a construct of OpenMP in plans.
type kind struct {
	key       string // in plans
	directive string // behind omp
	// around is the directive where the team of a region around executes the construct; ""
	// where there is no other.
	around  string
	form    form
	what    string // in messages
	clauses string // keys of those it takes
}

var kinds = []*kind{
	{"loop", "parallel for", "for", loopForm, "a parallel loop", "team schedule collapse ordered simd nowait threads if reduction linear private firstprivate lastprivate shared"},
	{"sections", "parallel sections", "sections", sectionsForm, "sections", "team nowait threads if reduction private firstprivate lastprivate shared"},
	{"parallel", "parallel", "", blockForm, "a parallel region", "threads if reduction private firstprivate shared"},
	{"task", "task", "", blockForm, "a task", "wait depend if final priority untied mergeable private firstprivate shared"},
	{"pipeline", "task", "", stagesForm, "a pipeline", "stages depth stateless priority untied private firstprivate shared"},
	{"taskloop", "taskloop", "", loopForm, "a taskloop", "collapse grainsize num_tasks nogroup if final priority untied mergeable reduction private firstprivate lastprivate shared"},
	{"taskgroup", "taskgroup", "", blockForm, "a taskgroup", ""},
	{"taskwait", "taskwait", "", pointForm, "a taskwait", "depend"},
	{"taskyield", "taskyield", "", pointForm, "a taskyield", ""},
	{"single", "single", "", blockForm, "a single construct", "nowait private firstprivate copyprivate"},
	{"master", "master", "", blockForm, "a master construct", ""},
	{"masked", "masked", "", blockForm, "a masked construct", "filter"},
	{"critical", "critical", "", blockForm, "a critical section", "name"},
	{"atomic", "atomic", "", blockForm, "an atomic update", "access"},
	{"ordered", "ordered", "", blockForm, "an ordered block", ""},
	{"barrier", "barrier", "", pointForm, "a barrier", ""},
	{"flush", "flush", "", pointForm, "a flush", ""},
}

// kindNames are the keys of all kinds.
func kindNames() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.key)
	}
	return names
}

func kindOf(key string) *kind {
	for _, k := range kinds {
		if k.key == key {
			return k
		}
	}
	panic("plan: no kind " + key)
}

func (k *kind) takes(clause string) bool {
	return slices.Contains(strings.Fields(k.clauses), clause)
}
