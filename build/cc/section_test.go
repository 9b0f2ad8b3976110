package cc

// This file tests the section of an object: what ordinary tools do with it, and files
// that are damaged.

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

func someRecord(name string) Record {
	return Record{Header: Header{Clang: "clang version 0", Major: 14, Source: name, SHA256: strings.Repeat("ab", 32), Level: "2",
		Flags: []string{"-DX=1"}, Defines: []string{"f"}}, Module: []byte("BC\xc0\xde" + name)}
}

func encoded(t testing.TB, records ...Record) []byte {
	t.Helper()
	var out []byte
	for i := range records {
		data, err := records[i].encode()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data...)
	}
	return out
}

func TestRecords(t *testing.T) {
	want := []Record{someRecord("a.c"), someRecord("caf\xe9.c")}
	want[1].Header.Flags, want[1].Header.Defines = []string{"-DX=\xff", "-Dgröße"}, []string{"f\x80"}
	data := encoded(t, want...)
	if !bytes.Equal(data, encoded(t, want...)) {
		t.Error("equal records give different bytes")
	}
	gap := append(append(encoded(t, want[0]), 0, 0, 0), encoded(t, want[1])...)
	for _, data := range [][]byte{data, gap} {
		if got, err := decodeRecords(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v", got, err)
		}
	}
	for i := range data {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x41
		if got, err := decodeRecords(damaged); err == nil && reflect.DeepEqual(got, want) {
			t.Errorf("byte %d changed, and nothing noticed", i)
		}
		if _, err := decodeRecords(data[:i]); err == nil && i > 0 && i != len(encoded(t, want[0])) {
			t.Errorf("cut at byte %d, and nothing noticed", i)
		}
	}
	future := bytes.Clone(data)
	future[7]++
	if _, err := decodeRecords(future); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a later version: %v", err)
	}
}

// object compiles a file of C to an object that carries a record.
func object(t *testing.T, tc *toolchain.Toolchain, dir, name, text string) string {
	t.Helper()
	source, out := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".o")
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(tc.Clang, "-g", "-c", source, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = appendSection(data, SectionName, encoded(t, someRecord(name))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}

func aToolchain(t testing.TB) *toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	return tc
}

// TestToolsKeepSection runs the tools that builds run over objects.
func TestToolsKeepSection(t *testing.T) {
	tc := aToolchain(t)
	dir := t.TempDir()
	a := object(t, tc, dir, "a", "int g(void); int main(void) { return g(); }")
	b := object(t, tc, dir, "b", "int g(void) { return 0; }")
	for _, c := range []struct {
		line string // A and B stand for the objects, O for the output
		want string // sources of the records afterwards
	}{
		{"strip -g -o O A", "a"},
		{"strip --strip-debug -o O A", "a"},
		{"strip --strip-unneeded -o O A", "a"},
		{"objcopy A O", "a"},
		{"objcopy --only-keep-debug --keep-section=.pspan.ir A O", "a"},
		{"ld -r -o O A B", "a b"},
		{"ld.gold -r -o O A B", "a b"},
		{"ld.lld -r -o O A B", "a b"},
		{"cp A O", "a"},
		{"install -m 644 A O", "a"},
		{"llvm-strip -g -o O A", "a"},
		{"llvm-objcopy A O", "a"},
		{"CLANG -o O A B", ""},
		{"CLANG -fuse-ld=gold -o O A B", ""},
		{"CLANG -fuse-ld=lld -o O A B", ""},
	} {
		t.Run(c.line, func(t *testing.T) {
			out := filepath.Join(dir, "out")
			os.Remove(out)
			words := strings.Fields(c.line)
			tool := words[0]
			switch {
			case tool == "CLANG":
				tool = tc.Clang
				if at := strings.Index(c.line, "-fuse-ld="); at > 0 {
					linker, _, _ := strings.Cut(c.line[at+9:], " ")
					if _, err := exec.LookPath("ld." + linker); err != nil {
						t.Skipf("skipped: no %s", linker)
					}
				}
			case strings.HasPrefix(tool, "llvm-"):
				tool = tc.Companion(tool)
			}
			path, err := exec.LookPath(tool)
			if err != nil {
				t.Skipf("skipped: %s is not installed", words[0])
			}
			args := []string{}
			for _, w := range words[1:] {
				args = append(args, map[string]string{"A": a, "B": b, "O": out}[w])
				if args[len(args)-1] == "" {
					args[len(args)-1] = w
				}
			}
			if text, err := exec.Command(path, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			records, err := readSection(data)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range records {
				got = append(got, r.Header.Source)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("records of %q, want %q", got, c.want)
			}
			if bytes.Contains(data, []byte(recordMagic)) != (c.want != "") {
				t.Error("the section's bytes are left behind, or gone")
			}
		})
	}
}

// TestManySections appends to an object whose number of sections stands elsewhere.
func TestManySections(t *testing.T) {
	tc := aToolchain(t)
	dir := t.TempDir()
	source, out := filepath.Join(dir, "many.s"), filepath.Join(dir, "many.o")
	var text strings.Builder
	for i := range shnLoReserve - 8 {
		text.WriteString(".section s" + strings.Repeat("x", i%3) + string(rune('a'+i%26)) + fmt.Sprint(i) + ",\"a\"\n.byte 1\n")
	}
	if err := os.WriteFile(source, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(tc.Clang, "-c", source, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	before, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 { // crosses the limit
		if data, err = appendSection(data, SectionName, encoded(t, someRecord(fmt.Sprint(i)))); err != nil {
			t.Fatal(err)
		}
	}
	after, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(before.Sections); n >= shnLoReserve || n+10 <= shnLoReserve || len(after.Sections) != n+10 {
		t.Fatalf("%d sections, before %d", len(after.Sections), len(before.Sections))
	}
	for i, s := range before.Sections {
		got := after.Sections[i]
		x, _ := s.Data()
		y, _ := got.Data()
		if got.Name != s.Name || got.Type != s.Type || s.Type == elf.SHT_PROGBITS && !bytes.Equal(x, y) {
			t.Fatalf("section %d: %+v was %+v", i, got.SectionHeader, s.SectionHeader)
		}
	}
	if records, err := readSection(data); err != nil || len(records) != 10 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// TestArchives reads what ar writes, and lets a linker read what we write.
func TestArchives(t *testing.T) {
	tc := aToolchain(t)
	ar, err := exec.LookPath("ar")
	if err != nil {
		t.Skip("skipped: ar is not installed")
	}
	dir := t.TempDir()
	a := object(t, tc, dir, "a", "int g(void); int main(void) { return g(); }")
	b := object(t, tc, dir, "a_member_with_a_long_name", "int g(void) { return 0; }")
	for _, flags := range []string{"rcs", "rcsD", "rcsT", "rcS"} {
		archive := filepath.Join(dir, "lib"+flags+".a")
		for _, args := range [][]string{{flags, archive, a, b}, {"s", archive}} {
			if text, err := exec.Command(ar, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		data, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		members, err := readArchive(archive, data)
		if err != nil || len(members) != 2 {
			t.Fatalf("ar %s: %d members, %v", flags, len(members), err)
		}
		for i, want := range []string{"a", "a_member_with_a_long_name"} {
			records, err := readSection(members[i].data)
			if filepath.Base(members[i].name) != want+".o" || err != nil || len(records) != 1 || records[0].Header.Source != want {
				t.Errorf("ar %s: member %s: %v, %v", flags, members[i].name, records, err)
			}
		}
	}
	data, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := writeArchive([]member{{name: "b.o", data: data}})
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "libours.a")
	if err := os.WriteFile(archive, ours, 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(tc.Clang, a, archive, "-o", filepath.Join(dir, "app")).CombinedOutput(); err != nil {
		t.Errorf("a linker does not read our archive: %v\n%s", err, text)
	}
	if members, err := readArchive(archive, ours); err != nil || len(members) != 1 || !bytes.Equal(members[0].data, data) {
		t.Errorf("our archive: %v", err)
	}
}

// FuzzObject feeds the readers and the writer of objects; what they take must be sound.
func FuzzObject(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("\x7fELF\x02\x01"))
	f.Add(encoded(f, someRecord("a.c")))
	f.Add(smallObject(&elf32))
	f.Add(smallObject(&elf64))
	if data, err := appendSection(smallObject(&elf64), SectionName, encoded(f, someRecord("a.c"))); err == nil {
		f.Add(data)
	}
	f.Add([]byte(archiveMagic + "a.o/            0           0     0     644     2         `\nxx"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if records, err := decodeRecords(data); err == nil { // what is read is written and read again the same
			if again, err := decodeRecords(encoded(t, records...)); err != nil || !reflect.DeepEqual(again, records) {
				t.Errorf("%+v, again %+v, %v", records, again, err)
			}
		}
		if isArchive(data) {
			members, err := readArchive("", data)
			for _, m := range members {
				if err == nil && m.path == "" && !bytes.Contains(data, m.data) {
					t.Errorf("member %s is not in the archive", m.name)
				}
			}
		}
		before, err := readSection(data)
		out, failed := appendSection(data, SectionName, encoded(t, someRecord("x.c")))
		if err != nil || failed != nil {
			return
		}
		if f, err := elf.NewFile(bytes.NewReader(data)); err != nil || len(f.Sections) == 0 {
			return
		}
		after, err := readSection(out)
		if err != nil || len(after) != len(before)+1 {
			t.Errorf("%d records after %d: %v", len(after), len(before), err)
		}
	})
}

// smallObject is an object with no sections but the names of sections.
func smallObject(l *elfLayout) []byte {
	le := binary.LittleEndian
	out := make([]byte, l.header+8+2*l.entry)
	copy(out, "\x7fELF\x02\x01\x01")
	out[4] = byte(l.word / 4)
	le.PutUint16(out[16:], uint16(elf.ET_REL))
	le.PutUint16(out[18:], uint16(map[uint64]elf.Machine{4: elf.EM_ARM, 8: elf.EM_X86_64}[l.word]))
	le.PutUint32(out[20:], 1)
	l.put(out[l.table:], l.header+8)
	le.PutUint16(out[l.entrySize-6:], uint16(l.header))
	le.PutUint16(out[l.entrySize:], uint16(l.entry))
	le.PutUint16(out[l.count:], 2)
	le.PutUint16(out[l.names:], 1)
	copy(out[l.header:], "\x00.names")
	names := out[l.header+8+l.entry:]
	le.PutUint32(names, 1)
	le.PutUint32(names[4:], uint32(elf.SHT_STRTAB))
	l.put(names[l.offset:], l.header)
	l.put(names[l.size:], 8)
	return out
}
