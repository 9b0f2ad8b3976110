package foreign

// This file reads from an executable which code is the program's own, and what it calls where.

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"pathspan/ir"
)

// Image is what an executable says of its code.
type Image struct {
	machine *machine
	own     []span            // functions of the program, ascending
	sites   map[uint64]string // the function that an instruction calls or jumps to
	names   map[uint64]string // of functions, by address
}

type span struct{ from, to uint64 }

// ReadImage reads an executable that was linked statically and keeps its relocations
// (-static -Wl,--emit-relocs). Source is the name of the program's module, which tells its local
// functions from those of libraries.
func ReadImage(exe, source string, p *ir.Program) (*Image, error) {
	f, err := elf.Open(exe)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := machines[f.Machine]
	if m == nil || f.ByteOrder != binary.LittleEndian {
		return nil, fmt.Errorf("machine code of %s is read, little-endian, and this is %s", Machines(), f.Machine)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	defined := map[string]bool{}
	for _, fn := range p.Funcs {
		defined[fn.Name] = true
	}
	im := &Image{machine: m, sites: map[uint64]string{}, names: map[uint64]string{}}
	file := ""
	for _, s := range symbols {
		local := elf.ST_BIND(s.Info) == elf.STB_LOCAL
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FILE:
			file = s.Name
		case elf.STT_FUNC:
			at := s.Value
			if m.odd {
				at &^= 1
			}
			if im.names[at] == "" || !local {
				im.names[at] = s.Name
			}
			if defined[s.Name] && (!local || file == source) && s.Size > 0 {
				im.own = append(im.own, span{at, at + s.Size})
			}
		}
	}
	slices.SortFunc(im.own, func(a, b span) int {
		if a.from < b.from {
			return -1
		}
		return 1
	})
	if len(im.own) == 0 {
		return nil, errors.New("no function of the program is in the executable")
	}
	for _, s := range f.Sections {
		if (s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL) && int(s.Info) < len(f.Sections) && f.Sections[s.Info].Flags&elf.SHF_EXECINSTR != 0 {
			data, err := s.Data()
			if err != nil {
				return nil, err
			}
			im.relocations(data, f.Class, int(s.Entsize), symbols)
		}
	}
	if len(im.sites) == 0 {
		return nil, errors.New("the executable keeps no relocations")
	}
	return im, nil
}

// relocations reads which symbols branches lead to, from entries of so many bytes.
func (im *Image) relocations(data []byte, class elf.Class, entry int, symbols []elf.Symbol) {
	if entry < 8 || class == elf.ELFCLASS64 && entry < 16 {
		return
	}
	for ; len(data) >= entry; data = data[entry:] {
		var at uint64
		var symbol, kind uint32
		if class == elf.ELFCLASS64 {
			info := binary.LittleEndian.Uint64(data[8:])
			at, symbol, kind = binary.LittleEndian.Uint64(data), elf.R_SYM64(info), elf.R_TYPE64(info)
		} else {
			info := binary.LittleEndian.Uint32(data[4:])
			at, symbol, kind = uint64(binary.LittleEndian.Uint32(data)), elf.R_SYM32(info), elf.R_TYPE32(info)
		}
		// Symbols leaves the first, which is none, away.
		if i := int(symbol) - 1; im.machine.branches[kind] && i >= 0 && i < len(symbols) && symbols[i].Name != "" {
			im.sites[at] = symbols[i].Name
			im.sites[at+im.machine.apart] = symbols[i].Name
		}
	}
}

// isOwn tells whether code is the program's.
func (im *Image) isOwn(pc uint64) bool {
	i := sort.Search(len(im.own), func(i int) bool { return im.own[i].to > pc })
	return i < len(im.own) && im.own[i].from <= pc
}
