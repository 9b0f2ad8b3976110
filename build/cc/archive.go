package cc

// This file reads and writes static libraries (ar), among them thin ones, whose members
// are files beside them.

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
	memberHead   = 60
)

// member is one file of an archive.
type member struct {
	name string // as linkers print it
	path string // of a thin archive's member: the file; else ""
	data []byte
}

func isArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(archiveMagic)) || bytes.HasPrefix(data, []byte(thinMagic))
}

// readArchive lists the members of the archive at path, whose bytes are data. Tables of
// symbols and names are left out.
func readArchive(path string, data []byte) ([]member, error) {
	corrupt := errors.New("it is not a sound archive; make it again")
	thin := bytes.HasPrefix(data, []byte(thinMagic))
	rest := data[len(archiveMagic):]
	var names []byte
	var out []member
	for len(rest) > 1 {
		if len(rest) < memberHead || string(rest[58:60]) != "`\n" {
			return nil, corrupt
		}
		name := strings.TrimRight(string(rest[:16]), " ")
		size, err := strconv.ParseUint(strings.TrimSpace(string(rest[48:58])), 10, 62)
		if err != nil {
			return nil, corrupt
		}
		rest = rest[memberHead:]
		table := name == "/" || name == "//" || name == "/SYM64/"
		var body []byte
		if !thin || table {
			if size > uint64(len(rest)) {
				return nil, corrupt
			}
			body = rest[:size]
			rest = rest[min(uint64(len(rest)), size+size&1):]
		}
		switch {
		case name == "//":
			names = body
			continue
		case table:
			continue
		case strings.HasPrefix(name, "#1/"): // BSD: the name stands before the content
			n, err := strconv.Atoi(name[3:])
			if err != nil || n < 0 || n > len(body) {
				return nil, corrupt
			}
			name, body = strings.TrimRight(string(body[:n]), "\x00"), body[n:]
			if strings.HasPrefix(name, "__.SYMDEF") {
				continue
			}
		case strings.HasPrefix(name, "/"): // GNU: a place among the long names
			at, err := strconv.Atoi(name[1:])
			if err != nil || at < 0 || at >= len(names) {
				return nil, corrupt
			}
			long, _, _ := bytes.Cut(names[at:], []byte("\n"))
			name = strings.TrimSuffix(string(long), "/")
		default:
			name = strings.TrimSuffix(name, "/")
		}
		m := member{name: name, data: body}
		if thin {
			m.path = name
			if !filepath.IsAbs(name) {
				m.path = filepath.Join(filepath.Dir(path), name)
			}
			if m.data, err = os.ReadFile(m.path); err != nil {
				return nil, fmt.Errorf("its member %s cannot be read; make it again", m.path)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// writeArchive makes an archive with a table of symbols. Equal members give equal bytes.
func writeArchive(members []member) ([]byte, error) {
	var symbols []byte
	var owner []int
	for i, m := range members {
		f, err := elf.NewFile(bytes.NewReader(m.data))
		if err != nil {
			return nil, err
		}
		all, err := f.Symbols()
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Section != elf.SHN_UNDEF {
				symbols = append(append(symbols, s.Name...), 0)
				owner = append(owner, i)
			}
		}
	}
	at := len(archiveMagic) + memberHead + 4 + 4*len(owner) + len(symbols)
	at += at & 1
	starts := make([]int, len(members))
	for i, m := range members {
		if len(m.name) > 15 {
			return nil, fmt.Errorf("member %s: the name is too long", m.name)
		}
		starts[i] = at
		at += memberHead + len(m.data) + len(m.data)&1
	}
	table := binary.BigEndian.AppendUint32(nil, uint32(len(owner)))
	for _, o := range owner {
		table = binary.BigEndian.AppendUint32(table, uint32(starts[o]))
	}
	out := []byte(archiveMagic)
	put := func(name string, data []byte) {
		out = fmt.Appendf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", len(data))
		out = append(out, data...)
		if len(out)&1 == 1 {
			out = append(out, '\n')
		}
	}
	put("/", append(table, symbols...))
	for _, m := range members {
		put(m.name+"/", m.data)
	}
	return out, nil
}
