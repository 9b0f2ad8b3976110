package cc

// This file appends a section to an ELF file: an object or a shared object of a 64-bit
// little-endian machine. Nothing that is there moves, so no offset in the file changes
// but that of the table of sections.

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

var errNotELF = errors.New("not a 64-bit little-endian ELF file")

const (
	elfHeader  = 64
	sectHeader = 64
	// shnLoReserve and above are no indices of sections; the number of sections and the
	// index of their names then stand in the first section's header (gABI, "e_shnum").
	shnLoReserve = 0xff00
	shnXIndex    = 0xffff
)

// appendSection returns the file with a further section, which is not loaded and which
// linkers leave out. A section of that name is there afterwards in any case twice, as a
// linker would read it: callers append once.
func appendSection(file []byte, name string, data []byte) ([]byte, error) {
	le := binary.LittleEndian
	if len(file) < elfHeader || !bytes.HasPrefix(file, []byte("\x7fELF\x02\x01")) || le.Uint16(file[58:]) != sectHeader {
		return nil, errNotELF
	}
	table, count, names := le.Uint64(file[40:]), uint64(le.Uint16(file[60:])), uint64(le.Uint16(file[62:]))
	size := uint64(len(file))
	if table == 0 || table > size-sectHeader {
		return nil, errors.New("it has no table of sections")
	}
	if count == 0 {
		count = le.Uint64(file[table+32:])
	}
	if names == shnXIndex {
		names = uint64(le.Uint32(file[table+40:]))
	}
	if count > (size-table)/sectHeader || names >= count {
		return nil, errors.New("its table of sections is corrupt")
	}
	headers := bytes.Clone(file[table : table+count*sectHeader])
	strings := headers[names*sectHeader:]
	at, length := le.Uint64(strings[24:]), le.Uint64(strings[32:])
	if names == 0 || elf.SectionType(le.Uint32(strings[4:])) != elf.SHT_STRTAB || at > size || length > size-at || length+uint64(len(name))+1 > 1<<32-1 {
		return nil, errors.New("its section names are corrupt")
	}
	out := bytes.Clone(file)
	if table+count*sectHeader == size {
		out = out[:table] // the old table stood last
	}
	le.PutUint64(strings[24:], uint64(len(out)))
	le.PutUint64(strings[32:], length+uint64(len(name))+1)
	out = append(append(append(out, file[at:at+length]...), name...), 0)

	header := make([]byte, sectHeader)
	le.PutUint32(header, uint32(length))
	le.PutUint32(header[4:], uint32(elf.SHT_PROGBITS))
	le.PutUint64(header[8:], 0x80000000) // SHF_EXCLUDE, which debug/elf does not name
	le.PutUint64(header[24:], uint64(len(out)))
	le.PutUint64(header[32:], uint64(len(data)))
	le.PutUint64(header[48:], 1) // so that joined sections have no gaps
	out = append(out, data...)
	out = append(out, make([]byte, -len(out)&7)...)

	count++
	le.PutUint64(out[40:], uint64(len(out)))
	if count < shnLoReserve {
		le.PutUint16(out[60:], uint16(count))
	} else {
		le.PutUint16(out[60:], 0)
		le.PutUint64(headers[32:], count)
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
