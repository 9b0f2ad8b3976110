package serve

// This file serves JSON lines on a pair of streams.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"pathspan/workers"
)

// Limits of lines.
const (
	maxLine  = 64 << 20 // bytes of a line
	maxChunk = 256      // lines that one worker computes at a time
)

var errClosed = errors.New("serve: the service was closed")

// chunk is some consecutive lines, and their answers once done is closed.
type chunk struct {
	lines []byte // each ends with a newline
	out   []byte
	done  chan struct{}
}

// chunks keeps buffers to use again.
var chunks sync.Pool

func newChunk() *chunk {
	c, ok := chunks.Get().(*chunk)
	if !ok {
		c = &chunk{}
	}
	c.lines, c.out, c.done = c.lines[:0], c.out[:0], make(chan struct{})
	return c
}

// Lines writes the description to w, then an answer for each line of r, in their order,
// until r ends. Lines are answered as soon as no others wait to be read. It returns the
// first error of r or w.
func (s *Service) Lines(r io.Reader, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	hello, err := json.Marshal(s.Description)
	if err != nil {
		return err
	}
	out.Write(hello)
	out.WriteByte('\n')
	if err := out.Flush(); err != nil {
		return err
	}
	waiting := make(chan *chunk, 64) // in order
	stop := make(chan struct{})      // closed when nothing can be written any more
	var readErr error
	reading := workers.Start(func() {
		defer close(waiting)
		readErr = s.readLines(bufio.NewReaderSize(r, 1<<18), waiting, stop)
	})
	err = s.writeAnswers(out, waiting)
	s.raise()
	if err != nil {
		close(stop)
		return err // the reader ends with its next chunk
	}
	reading.Wait()
	return readErr
}

// readLines cuts the input into chunks and has them computed.
func (s *Service) readLines(in *bufio.Reader, waiting chan<- *chunk, stop <-chan struct{}) error {
	for {
		c := newChunk()
		var err error
		for n := 0; n < maxChunk; n++ {
			if err = c.readLine(in); err != nil || !lineWaits(in) {
				break
			}
		}
		if len(c.lines) > 0 {
			select {
			case waiting <- c:
			case <-stop:
				return nil
			}
			ok := s.do(func(w *worker) {
				w.chunk(c)
				close(c.done)
			})
			if !ok {
				return errClosed
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("serve: reading candidates: %w", err)
		}
	}
}

// lineWaits reports whether a whole line can be read without waiting.
func lineWaits(in *bufio.Reader) bool {
	have, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(have, '\n') >= 0
}

// readLine adds one line. Of one that is too long only as much is kept as tells so.
func (c *chunk) readLine(in *bufio.Reader) error {
	from := len(c.lines)
	for {
		part, err := in.ReadSlice('\n')
		if len(c.lines)-from <= maxLine {
			c.lines = append(c.lines, part...)
		}
		switch {
		case err == nil || err == io.EOF:
			if n := len(c.lines); n > from && c.lines[n-1] != '\n' {
				c.lines = append(c.lines, '\n')
			}
			return err
		case !errors.Is(err, bufio.ErrBufferFull):
			c.lines = c.lines[:from]
			return err
		}
	}
}

// writeAnswers writes what is done, in order.
func (s *Service) writeAnswers(out *bufio.Writer, waiting <-chan *chunk) error {
	for c := range waiting {
		select {
		case <-c.done:
		case <-s.quit:
			return errClosed
		}
		_, err := out.Write(c.out)
		chunks.Put(c)
		if err != nil {
			return err
		}
		if len(waiting) > 0 {
			continue
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// chunk answers the lines of a chunk. Blank lines are not answered.
func (w *worker) chunk(c *chunk) {
	rest := c.lines
	for len(rest) > 0 {
		end := bytes.IndexByte(rest, '\n')
		line := rest[:end]
		rest = rest[end+1:]
		if len(bytes.TrimSpace(line)) > 0 {
			c.out = append(w.line(c.out, line), '\n')
		}
	}
}

// line answers a line: a candidate or an array of candidates.
func (w *worker) line(to, line []byte) []byte {
	s := &scanner{data: line}
	if len(line) > maxLine {
		w.c.reset()
		return w.answer(to, faultf("", "the line is longer than %d bytes; send fewer candidates in a line", maxLine))
	}
	if s.next() != '[' {
		w.c.read(s)
		s.end()
		return w.answered(to, s.bad)
	}
	start := len(to)
	to = append(to, '[')
	s.list("", "candidates", func(i int) {
		if i > 0 {
			to = append(to, ',')
		}
		from := s.at
		w.c.read(s)
		bad := s.bad
		if bad != nil && s.skip(from) {
			s.bad = nil // this candidate is malformed, the line is not
		}
		to = w.answered(to, bad)
	})
	if s.bad == nil {
		s.end()
	}
	if s.bad != nil { // one answer for a line that is no JSON
		w.c.reset()
		return w.answer(to[:start], s.bad)
	}
	return append(to, ']')
}

// answered estimates the candidate, unless it is malformed, and appends the answer.
func (w *worker) answered(to []byte, bad *fault) []byte {
	if bad == nil {
		bad = w.estimate()
	}
	return w.answer(to, bad)
}

// skip goes behind the value that begins at from, and reports whether it is JSON.
func (s *scanner) skip(from int) bool {
	d := json.NewDecoder(bytes.NewReader(s.data[from:]))
	var v json.RawMessage
	if d.Decode(&v) != nil {
		return false
	}
	s.at = from + int(d.InputOffset())
	return true
}
