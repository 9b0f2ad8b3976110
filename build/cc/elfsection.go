package cc

// This file appends a section to an ELF file: an object or a shared object of a
// little-endian machine. Nothing that is there moves, so no offset in the file changes
// but that of the table of sections.

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

var errNotELF = errors.New("not a little-endian ELF file")

const (
	// shnLoReserve and above are no indices of sections; the number of sections and the
	// index of their names then stand in the first section's header (gABI, "e_shnum").
	shnLoReserve = 0xff00
	shnXIndex    = 0xffff
)

// elfLayout is where an ELF file of 32 or 64 bits has what a table of sections needs.
type elfLayout struct {
	word, header, entry              uint64 // bytes of an address, of the file's header and of a section's
	table, entrySize, count, names   uint64 // in the file's header
	offset, size, link, align, flags uint64 // in a section's
}

var (
	elf32 = elfLayout{word: 4, header: 52, entry: 40, table: 32, entrySize: 46, count: 48, names: 50, offset: 16, size: 20, link: 24, align: 32, flags: 8}
	elf64 = elfLayout{word: 8, header: 64, entry: 64, table: 40, entrySize: 58, count: 60, names: 62, offset: 24, size: 32, link: 40, align: 48, flags: 8}
)

// layoutOf tells the layout of a file, nil where it is none that is known.
func layoutOf(file []byte) *elfLayout {
	for prefix, l := range map[string]*elfLayout{"\x7fELF\x01\x01": &elf32, "\x7fELF\x02\x01": &elf64} {
		if bytes.HasPrefix(file, []byte(prefix)) && uint64(len(file)) >= l.header && uint64(binary.LittleEndian.Uint16(file[l.entrySize:])) == l.entry {
			return l
		}
	}
	return nil
}

// get and put read and write an address of a header.
func (l *elfLayout) get(b []byte) uint64 {
	if l.word == 4 {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func (l *elfLayout) put(b []byte, v uint64) {
	if l.word == 4 {
		binary.LittleEndian.PutUint32(b, uint32(v))
		return
	}
	binary.LittleEndian.PutUint64(b, v)
}

// appendSection returns the file with a further section, which is not loaded and which
// linkers leave out. A section of that name is there afterwards in any case twice, as a
// linker would read it: callers append once.
func appendSection(file []byte, name string, data []byte) ([]byte, error) {
	le := binary.LittleEndian
	l := layoutOf(file)
	if l == nil {
		return nil, errNotELF
	}
	table, count, names := l.get(file[l.table:]), uint64(le.Uint16(file[l.count:])), uint64(le.Uint16(file[l.names:]))
	size := uint64(len(file))
	if table == 0 || table > size-l.entry {
		return nil, errors.New("it has no table of sections")
	}
	if count == 0 {
		count = l.get(file[table+l.size:])
	}
	if names == shnXIndex {
		names = uint64(le.Uint32(file[table+l.link:]))
	}
	if count > (size-table)/l.entry || names >= count {
		return nil, errors.New("its table of sections is corrupt")
	}
	headers := bytes.Clone(file[table : table+count*l.entry])
	strings := headers[names*l.entry:]
	at, length := l.get(strings[l.offset:]), l.get(strings[l.size:])
	if names == 0 || elf.SectionType(le.Uint32(strings[4:])) != elf.SHT_STRTAB || at > size || length > size-at || length+uint64(len(name))+1 > 1<<32-1 {
		return nil, errors.New("its section names are corrupt")
	}
	if l.word == 4 && size+length+uint64(len(name)+len(data))+(count+2)*l.entry > 1<<32-1 {
		return nil, errors.New("too large for 32 bits with its module")
	}
	out := bytes.Clone(file)
	if table+count*l.entry == size {
		out = out[:table] // the old table stood last
	}
	l.put(strings[l.offset:], uint64(len(out)))
	l.put(strings[l.size:], length+uint64(len(name))+1)
	out = append(append(append(out, file[at:at+length]...), name...), 0)

	header := make([]byte, l.entry)
	le.PutUint32(header, uint32(length))
	le.PutUint32(header[4:], uint32(elf.SHT_PROGBITS))
	l.put(header[l.flags:], 0x80000000) // SHF_EXCLUDE, which debug/elf does not name
	l.put(header[l.offset:], uint64(len(out)))
	l.put(header[l.size:], uint64(len(data)))
	l.put(header[l.align:], 1) // so that joined sections have no gaps
	out = append(out, data...)
	out = append(out, make([]byte, -len(out)&7)...)

	count++
	l.put(out[l.table:], uint64(len(out)))
	if count < shnLoReserve {
		le.PutUint16(out[l.count:], uint16(count))
	} else {
		le.PutUint16(out[l.count:], 0)
		l.put(headers[l.size:], count)
	}
	return append(append(out, headers...), header...), nil
}

// readSection returns the records of an ELF file, none where it has no such section.
func readSection(file []byte) ([]Record, error) {
	if !bytes.HasPrefix(file, []byte(elf.ELFMAG)) {
		return nil, nil
	}
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("it is not a sound ELF file: %w", err)
	}
	var out []Record
	for _, s := range f.Sections {
		if s.Name != SectionName || s.Type == elf.SHT_NOBITS {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, errCorrupt
		}
		records, err := decodeRecords(data)
		if err != nil {
			return nil, err
		}
		out = append(out, records...)
	}
	return out, nil
}
