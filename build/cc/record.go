package cc

// This file defines what the section of an object holds: modules with where they come
// from. Records stand one behind another, so that `ld -r` may join sections.

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// SectionName is the section of an object that holds its module. Linkers leave it out
// of programs (SHF_EXCLUDE).
const SectionName = ".pspan.ir"

// recordMagic opens a record; its last byte is the version. Behind it stand the lengths
// of header and module (64 bits each, little-endian), the first 8 bytes of the SHA-256
// of both, the header as JSON, and the module, gzip-compressed.
const recordMagic = "PSPANIR\x01"

const recordHead = len(recordMagic) + 24

// maxModule bounds what a module may unpack to, in bytes.
const maxModule = 1 << 30

// Record is one module of an object. In a shared object, it may also be an object
// without a module.
type Record struct {
	Header Header
	Module []byte // bitcode, or the object
}

// Header says where a module comes from.
type Header struct {
	Clang  string   `json:"clang"` // what the compiler says of itself
	Major  int      `json:"major"` // its major version
	Source string   `json:"source"`
	SHA256 string   `json:"sha256"` // of the source, hexadecimal
	Level  string   `json:"level"`  // 0, 1, 2, 3, s or z
	CXX    bool     `json:"cxx,omitempty"`
	Flags  []string `json:"flags,omitempty"` // the user's
	// Defines are the symbols that no other object of a program may define.
	Defines []string `json:"defines,omitempty"`
	// Names tells that variables have the source's names, for what is told of memory.
	Names  bool     `json:"names,omitempty"`
	Native bool     `json:"native,omitempty"` // an object, not a module
	Plan   *Planned `json:"plan,omitempty"`
}

// texts changes what need not be UTF-8. Lists are copied.
func (h *Header) texts(change func(string) string) {
	h.Source = change(h.Source)
	for _, list := range []*[]string{&h.Flags, &h.Defines} {
		*list = slices.Clone(*list)
		for i, s := range *list {
			(*list)[i] = change(s)
		}
	}
}

// toJSON gives what is not UTF-8, which JSON cannot hold, another form. It begins with a
// zero, which no argument and no symbol has.
func toJSON(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return "\x00" + base64.StdEncoding.EncodeToString([]byte(s))
}

func fromJSON(s string) string {
	if text, ok := strings.CutPrefix(s, "\x00"); ok {
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			return string(b)
		}
	}
	return s
}

// encode gives the record's bytes. Equal records give equal bytes.
func (r *Record) encode() ([]byte, error) {
	own := r.Header
	own.texts(toJSON)
	header, err := json.Marshal(&own)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(r.Module); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	out := []byte(recordMagic)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(header)))
	out = binary.LittleEndian.AppendUint64(out, uint64(packed.Len()))
	sum := sha256.New()
	sum.Write(header)
	sum.Write(packed.Bytes())
	out = append(out, sum.Sum(nil)[:8]...)
	return append(append(out, header...), packed.Bytes()...), nil
}

var errCorrupt = errors.New("its section " + SectionName + " is corrupt; compile it again")

// decodeRecords reads the records of a section. Zeros between them are skipped, as a
// linker may align sections.
func decodeRecords(data []byte) ([]Record, error) {
	var out []Record
	for {
		data = bytes.TrimLeft(data, "\x00")
		if len(data) == 0 {
			return out, nil
		}
		if len(data) < recordHead || string(data[:7]) != recordMagic[:7] {
			return nil, errCorrupt
		}
		if data[7] != recordMagic[7] {
			return nil, fmt.Errorf("its section %s has version %d, this pathspan reads version %d; compile it again", SectionName, data[7], recordMagic[7])
		}
		header, module := binary.LittleEndian.Uint64(data[8:]), binary.LittleEndian.Uint64(data[16:])
		rest := uint64(len(data) - recordHead)
		if header > rest || module > rest-header {
			return nil, errCorrupt
		}
		body := data[recordHead : uint64(recordHead)+header+module]
		if sum := sha256.Sum256(body); !bytes.Equal(sum[:8], data[24:32]) {
			return nil, errCorrupt
		}
		var r Record
		if err := json.Unmarshal(body[:header], &r.Header); err != nil {
			return nil, errCorrupt
		}
		r.Header.texts(fromJSON)
		z, err := gzip.NewReader(bytes.NewReader(body[header:]))
		if err != nil {
			return nil, errCorrupt
		}
		if r.Module, err = io.ReadAll(io.LimitReader(z, maxModule+1)); err != nil || len(r.Module) > maxModule {
			return nil, errCorrupt
		}
		out = append(out, r)
		data = data[uint64(recordHead)+header+module:]
	}
}
