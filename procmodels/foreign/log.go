package foreign

// This file reads the emulator's log: which code ran, and for which call.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// instruction is one of the processor's.
type instruction struct {
	at, size uint64
	text     string // mnemonic and operands
}

// translated is a block as the emulator translates it: straight-line code.
type translated struct {
	code []instruction
	own  bool
}

func (t *translated) last() instruction { return t.code[len(t.code)-1] }

func (in instruction) end() uint64 { return in.at + in.size }

// step is that a block ran behind another, 0 where the call began or came back from the program.
type step struct{ from, to uint64 }

// Run is what one run of a program did outside of it.
type Run struct {
	machine *machine
	blocks  map[uint64]*translated
	called  map[string]*called
}

// called is what a function that the program called did, and all that it called outside.
type called struct {
	calls int
	steps map[step]int
}

// frame is a call out of the program that has not returned.
type frame struct {
	*called
	before uint64 // the block that ran last in it
}

// ReadLog reads what qemu logs of a program with -d in_asm,exec,nochain.
func ReadLog(log io.Reader, im *Image) (*Run, error) {
	r := &reader{Run: Run{im.machine, map[uint64]*translated{}, map[string]*called{}}, im: im}
	in := bufio.NewReaderSize(log, 1<<20)
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 && err == nil {
			if err := r.line(line[:len(line)-1]); err != nil {
				return nil, err
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the emulator's log: %w", err)
		}
	}
	if r.before == nil {
		return nil, fmt.Errorf("the emulator logged no code that ran; it takes a qemu-user that has options -d in_asm,exec,nochain")
	}
	return &r.Run, nil
}

type reader struct {
	Run
	im     *Image
	block  *translated // which is being listed
	before *translated // that ran last
	frames []frame
}

var (
	inBlock = []byte("IN: ")
	ran     = []byte("Trace ")
)

func (r *reader) line(line []byte) error {
	switch {
	case bytes.HasPrefix(line, ran):
		return r.run(line)
	case bytes.HasPrefix(line, inBlock):
		r.block = &translated{}
	case r.block != nil && len(line) > 2 && line[0] == '0' && line[1] == 'x':
		// 0x00400580:  d503201f  nop
		at, rest, ok := strings.Cut(string(line[2:]), ":")
		code, text, told := strings.Cut(strings.TrimSpace(rest), "  ")
		pc, err := strconv.ParseUint(at, 16, 64)
		if !ok || !told || err != nil {
			return fmt.Errorf("the emulator's log: not an instruction: %.60q", line)
		}
		if len(r.block.code) == 0 {
			r.blocks[pc] = r.block
			r.block.own = r.im.isOwn(pc)
		}
		size := uint64(len(strings.ReplaceAll(code, " ", ""))) / 2 // f8df 2444 is one of four bytes
		r.block.code = append(r.block.code, instruction{pc, size, strings.Join(strings.Fields(text), " ")})
	case r.block != nil && bytes.HasPrefix(line, []byte("OBJD")):
		return fmt.Errorf("this qemu-user was built without a disassembler; install Debian's")
	}
	return nil
}

// run goes on to a block: Trace 0: 0x7f634fa00100 [0000000001009331/0000000000400580/00000001/00000200] main
func (r *reader) run(line []byte) error {
	slash := bytes.IndexByte(line, '/')
	if slash < 0 {
		return fmt.Errorf("the emulator's log: not a block that ran: %.80q", line)
	}
	pc := uint64(0)
	for _, c := range line[slash+1:] {
		digit := uint64(0)
		switch {
		case '0' <= c && c <= '9':
			digit = uint64(c - '0')
		case 'a' <= c && c <= 'f':
			digit = uint64(c-'a') + 10
		default:
			if c != '/' {
				return fmt.Errorf("the emulator's log: not a block that ran: %.80q", line)
			}
			return r.enter(pc)
		}
		pc = pc<<4 | digit
	}
	return fmt.Errorf("the emulator's log: not a block that ran: %.80q", line)
}

func (r *reader) enter(pc uint64) error {
	b := r.blocks[pc]
	if b == nil || len(b.code) == 0 {
		return fmt.Errorf("the emulator's log: block %#x runs and was not listed", pc)
	}
	before := r.before
	r.before = b
	if before == nil {
		return nil
	}
	last := before.last()
	switch {
	case before.own && b.own:
	case before.own: // out of the program: by a call, or back to who called the program
		if r.machine.returns(last.text) {
			break
		}
		name := r.im.sites[last.at]
		if name == "" {
			name = r.im.names[pc]
		}
		c := r.called[name]
		if c == nil {
			c = &called{steps: map[step]int{}}
			r.called[name] = c
		}
		c.calls++
		r.frames = append(r.frames, frame{called: c})
	case b.own: // back, or on to a callback
		if n := len(r.frames); n > 0 {
			r.frames[n-1].before = 0
			if r.machine.returns(last.text) {
				r.frames = r.frames[:n-1]
			}
		}
		return nil
	}
	if n := len(r.frames); !b.own && n > 0 {
		f := &r.frames[n-1]
		f.steps[step{f.before, pc}]++
		f.before = pc
	}
	return nil
}
