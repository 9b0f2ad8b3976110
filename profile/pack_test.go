package profile

// This file tests what bundles unpack to, and what they hold, in proportion to their size.

import (
	"bytes"
	"compress/gzip"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// emptyPaths is a bundle's message with a profile of so many empty paths.
func emptyPaths(t *testing.T, n int) []byte {
	t.Helper()
	whole, err := proto.Marshal(toProto(randomBundle(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	level := bytes.Repeat([]byte{9<<3 | 2, 0}, n)
	profile := protowire.AppendBytes([]byte{2<<3 | 2}, level)
	return append(whole, protowire.AppendBytes([]byte{4<<3 | 2}, profile)...)
}

func packedAs(t *testing.T, message []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString(bundleMagic)
	z, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(message)
	z.Close()
	return out.Bytes()
}

func TestBombs(t *testing.T) {
	for what, c := range map[string]struct {
		data []byte
		says string
	}{
		"40 MB in 39 kB":           {packedAs(t, emptyPaths(t, 20_000_000), gzip.BestCompression), "unpacks to more than"},
		"empty parts as they are":  {packedAs(t, emptyPaths(t, 1_000_000), gzip.NoCompression), "more empty parts"},
		"empty parts within parts": {packedAs(t, bytes.Repeat([]byte{3<<3 | 2, 2, 6<<3 | 2, 0}, 500_000), gzip.NoCompression), "more empty parts"},
	} {
		if b, err := Read(c.data); b != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", what, err, c.says)
		}
	}
}

// What we write can always be read, however well it packs.
func TestWellPackedBundles(t *testing.T) {
	for _, size := range []int{10, 1 << 20, 20 << 20} {
		b := randomBundle(1, 1)
		b.Module = bytes.Repeat([]byte("; nothing\n"), size/10)
		if got, err := Read(encoded(t, b)); err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%d bytes of comments: %v", size, err)
		}
	}
	r := rand.New(rand.NewSource(1))
	for range 30 {
		message := bytes.Repeat([]byte{byte(r.Intn(256))}, r.Intn(1<<21))
		for range r.Intn(1000) {
			if len(message) > 0 {
				message[r.Intn(len(message))] = byte(r.Intn(256))
			}
		}
		packed, err := pack(message, []int{gzip.BestSpeed, gzip.DefaultCompression, gzip.BestCompression}[r.Intn(3)])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpack(packed); err != nil || !bytes.Equal(got, message) {
			t.Fatalf("%d bytes packed to %d: %v", len(message), len(packed), err)
		}
	}
}
