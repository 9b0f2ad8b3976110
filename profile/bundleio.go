package profile

// This file writes and reads profile bundles.

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"google.golang.org/protobuf/proto"

	"pathspan/bounded"
	"pathspan/profile/bundlepb"
	"pathspan/scratch"
)

// bundleMagic opens every bundle: not text, and damaged by a transfer that
// rewrites line ends. Its last byte is the version of the container.
const bundleMagic = "PSPAN\r\n\x01"

// bundleFormat is the version of the schema.
const bundleFormat = 2

// Write writes the bundle. Equal bundles give equal bytes.
func (b *Bundle) Write(w io.Writer) error {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(toProto(b))
	if err != nil {
		return err
	}
	packed, err := pack(raw, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, bundleMagic); err != nil {
		return err
	}
	_, err = w.Write(packed)
	return err
}

// WriteFile writes the bundle to a temporary file beside path and renames it.
func (b *Bundle) WriteFile(path string) error { return scratch.Place(path, 0o644, b.Write) }

// Load returns the content of a file that may be a bundle. Its errors are one line that
// names the file.
func Load(path string) ([]byte, error) {
	raw, err := bounded.ReadFile(path, bounded.Profile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; make a bundle with: pathspan profile -o %s SOURCE... [-- ARGUMENTS...]", path, bounded.Reason(err), filepath.Base(path))
	}
	return raw, nil
}

// ReadFile reads a bundle. Its errors are one line that names the file.
func ReadFile(path string) (*Bundle, error) {
	raw, err := Load(path)
	if err != nil {
		return nil, err
	}
	b, err := Read(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Read decodes a bundle, whether pathspan or the program itself wrote it, and checks it.
// Its errors are one line.
func Read(raw []byte) (*Bundle, error) {
	b, err := read(raw)
	if err != nil && strings.ContainsFunc(err.Error(), unicode.IsControl) { // in names of a forged one
		err = errors.New(strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return '?'
			}
			return c
		}, err.Error()))
	}
	return b, err
}

func read(raw []byte) (*Bundle, error) {
	if len(raw) < len(bundleMagic) || string(raw[:5]) != bundleMagic[:5] {
		return nil, errors.New("not a pathspan bundle; make one with pathspan profile")
	}
	if string(raw[:7]) != bundleMagic[:7] {
		return nil, errors.New("the bundle was damaged by a transfer as text; copy it again in binary mode")
	}
	if raw[7] == templateMagic[7] {
		return readSelfWritten(raw)
	}
	if raw[7] != bundleMagic[7] {
		return nil, fmt.Errorf("the bundle has container version %d, this pathspan reads versions %d and %d; use the pathspan that made it, or profile again", raw[7], bundleMagic[7], templateMagic[7])
	}
	text, err := unpack(raw[len(bundleMagic):])
	if err != nil {
		return nil, err
	}
	var m bundlepb.Bundle
	if err := checkMessages(text, m.ProtoReflect().Descriptor()); err != nil {
		return nil, err
	}
	if err := proto.Unmarshal(text, &m); err != nil {
		return nil, errors.New("the bundle's content is corrupt; profile again")
	}
	if m.Format != bundleFormat {
		return nil, formatError(m.Format, bundleFormat)
	}
	b, err := fromProto(&m)
	if err == nil {
		err = b.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("the bundle contradicts itself (%w); profile again", err)
	}
	return b, nil
}

func formatError(format, reads uint32) error {
	return fmt.Errorf("the bundle has format %d, this pathspan reads format %d; use the pathspan that made it, or profile again", format, reads)
}

func damaged(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the bundle is truncated; copy it again or profile again")
	}
	return errors.New("the bundle is corrupt; copy it again or profile again")
}
