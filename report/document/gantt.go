package document

// This file draws bars as text.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pathspan/estimate/account"
	"pathspan/report"
)

// ganttWidth is the number of characters of the longest drawing.
const ganttWidth = 60

type ganttRow struct {
	processor int
	text      string
}

// gantt draws bars of a timeline, a row for each processor, ascending. longest is the time of a full row. A
// section that is too short for a character has one all the same, and moves what is behind
// it; overheads that are too short are left out.
func gantt(t *account.Timeline, bars []account.Bar, longest float64) []ganttRow {
	var rows []ganttRow
	for _, b := range bars {
		if !slices.ContainsFunc(rows, func(r ganttRow) bool { return r.processor == b.Processor }) {
			rows = append(rows, ganttRow{processor: b.Processor})
		}
	}
	slices.SortFunc(rows, func(a, b ganttRow) int { return a.processor - b.processor })
	at := func(seconds float64) int {
		if longest <= 0 {
			return 0
		}
		return int(math.Round(seconds / longest * ganttWidth))
	}
	for i := range rows {
		var text strings.Builder
		for k := range bars { // by start on each processor
			b := &bars[k]
			if b.Processor != rows[i].processor || b.Stop <= b.Start {
				continue
			}
			first, last := max(at(b.Start), text.Len()), at(b.Stop)
			if b.Kind == account.BarSection {
				last = max(last, first+1)
			}
			last = min(last, ganttWidth)
			if last > first {
				text.WriteString(strings.Repeat(" ", first-text.Len()))
			}
			for k := first; k < last; k++ {
				text.WriteByte(letter(t, b, k-first))
			}
		}
		text.WriteString(strings.Repeat(" ", ganttWidth-text.Len()))
		rows[i].text = text.String()
	}
	return rows
}

// letter is the character of a bar at a distance from its start. Sections of constructs
// inside have capital letters.
func letter(t *account.Timeline, b *account.Bar, at int) byte {
	switch b.Kind {
	case account.BarCreate:
		return 'c'
	case account.BarSync:
		return 's'
	case account.BarFetch:
		return 'e'
	case account.BarContend:
		return 'b'
	case account.BarSteal:
		return 'x'
	case account.BarFork, account.BarJoin, account.BarCombine, account.BarDispatch, account.BarTeamOfOne, account.BarMake, account.BarLock, account.BarWait:
		return b.Kind[0]
	}
	if b.Region != t.Region || b.Construct != t.Construct {
		return 'A' + byte(b.Section%26)
	}
	number := report.SectionNumber(b.Name)
	if b.Stage > 0 {
		number = strconv.Itoa(b.Stage)
	}
	if _, thread, ok := strings.Cut(number, ".t"); ok {
		number = thread
	}
	if _, err := strconv.Atoi(number); err != nil || number == "" {
		number = strconv.Itoa(b.Section + 1)
	}
	if len(number) > 1 { // two digits need a separator to be read
		number += "."
	}
	return number[at%len(number)]
}
