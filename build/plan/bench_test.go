package plan

// This file times the reading of clang's dump, of which there is much.

import (
	"bytes"
	"strings"
	"testing"
)

func BenchmarkDump(b *testing.B) {
	start := strings.Index(seedDump, "    {\n      \"id\": \"0x2\"")
	end := strings.LastIndex(seedDump, "\n  ]\n}")
	text := seedDump[:start] + strings.Repeat(seedDump[start:end]+",\n", 5000) + seedDump[start:]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		found, err := readDump(bytes.NewReader([]byte(text)), &files{byName: map[string]*file{}}, func(*function) bool { return false })
		if err != nil || len(found) != 0 {
			b.Fatal(len(found), err)
		}
	}
}
