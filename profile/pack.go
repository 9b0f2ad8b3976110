package profile

// This file packs the messages of bundles, and unpacks them within bounds.

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A packed message of n bytes unpacks to at most anyMessage + unpacked*n bytes, so that a
// forged file takes no more memory than one of its size may. Bundles unpack to four to
// ten times their size; pack keeps to the bound where paths alike would go past it.
const (
	anyMessage = 1 << 20
	unpacked   = 128
)

// A message holds at most one message for so many of its bytes. In the bundles that
// pathspan writes they are several times as long; empty ones would take a hundred times
// the memory that they take in the file.
const bytesPerMessage = 8

func pack(message []byte, level int) ([]byte, error) {
	for {
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, level)
		if err != nil {
			return nil, err
		}
		if _, err := z.Write(message); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		if len(message) <= mostUnpacked(out.Len()) || level == gzip.HuffmanOnly {
			return out.Bytes(), nil
		}
		level = gzip.HuffmanOnly // at most eight times smaller
	}
}

func mostUnpacked(packed int) int { return anyMessage + unpacked*packed }

func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, damaged(err)
	}
	most := mostUnpacked(len(packed))
	var out bytes.Buffer
	// What gzip says last, unless the file is damaged, spares growing step by step.
	if size := int(binary.LittleEndian.Uint32(packed[len(packed)-4:])); size <= 16*len(packed) {
		out.Grow(size + bytes.MinRead)
	}
	if _, err := out.ReadFrom(io.LimitReader(z, int64(most)+1)); err != nil {
		return nil, damaged(err)
	}
	if out.Len() > most {
		return nil, fmt.Errorf("the bundle unpacks to more than %d bytes, which no bundle of its size does; profile again", most)
	}
	return out.Bytes(), nil
}

// checkMessages reports a message that holds more messages than its size lets expect. It
// passes over what is not well-formed, which Unmarshal reports.
func checkMessages(message []byte, of protoreflect.MessageDescriptor) error {
	if n := countMessages(message, of); n > 1000+len(message)/bytesPerMessage {
		return errors.New("the bundle holds more empty parts than any bundle does; profile again")
	}
	return nil
}

func countMessages(data []byte, of protoreflect.MessageDescriptor) int {
	fields := of.Fields()
	total := 0
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return total
		}
		data = data[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
				return total
			}
			data = data[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return total
		}
		data = data[n:]
		if f := fields.ByNumber(number); f != nil && f.Message() != nil {
			total += 1 + countMessages(value, f.Message())
		}
	}
	return total
}
