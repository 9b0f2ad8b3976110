package plugin

// This file makes a key of all that a plugin's answer may depend on, for the disk cache.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/proto"

	"pathspan/procmodels"
	"pathspan/procmodels/costcache"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
)

// keyFormat changes when the same key would stand for other costs.
const keyFormat = "pathspan costs 1"

// question is one question to a plugin: it has a place in the cache.
type question struct {
	cache   *costcache.Cache
	key     costcache.Key
	subject *procmodels.Subject
}

// question makes the key: the requests as they are sent, what the plugin said of itself,
// its program's content, and that of files that parameters name. The description is asked
// each time, so a plugin that relies on something else tells its change by its version.
func (m *Model) question(s *procmodels.Subject) question {
	q := question{cache: costcache.FromEnvironment(), subject: s}
	if q.cache == nil {
		return q
	}
	h := sha256.New()
	put := func(what string, data []byte) {
		fmt.Fprintf(h, "%s %d\n", what, len(data))
		h.Write(data)
	}
	put("format", []byte(keyFormat))
	for _, path := range programFiles(m.ref.path) {
		if hashFile(h, "program", path) != nil {
			return question{subject: s} // nothing is kept
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.ref.parameters)) {
		path := m.ref.parameters[name]
		if !filepath.IsAbs(path) {
			path = filepath.Join(m.ref.dir, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			if hashFile(h, "parameter "+name, path) != nil {
				return question{subject: s} // nothing is kept
			}
		}
	}
	marshal := proto.MarshalOptions{Deterministic: true}
	said, err := marshal.Marshal(m.said)
	if err != nil {
		return question{subject: s} // nothing is kept
	}
	put("description", said)
	var buf []byte
	err = wire.SendSubject(s, m.ref.parameters, m.parts(), func(req *pluginpb.PriceRequest) error {
		var err error
		if buf, err = marshal.MarshalAppend(buf[:0], req); err == nil {
			put("request", buf)
		}
		return err
	})
	if err != nil {
		return question{subject: s} // nothing is kept
	}
	h.Sum(q.key[:0])
	return q
}

// recall returns the answer that the cache holds, or nil.
func (q question) recall(model string) *procmodels.Costs {
	return q.cache.Get(q.key, q.subject.Program, model)
}

// remember puts an answer into the cache.
func (q question) remember(c *procmodels.Costs) { q.cache.Put(q.key, c) }

// programFiles lists the files that make up a plugin: the program; of a script also the
// files of its kind beside it, which it may read as modules.
func programFiles(path string) []string {
	files := []string{path}
	f, err := os.Open(path)
	if err != nil {
		return files
	}
	defer f.Close()
	start := make([]byte, 2)
	if _, err := io.ReadFull(f, start); err != nil || !bytes.Equal(start, []byte("#!")) || filepath.Ext(path) == "" {
		return files
	}
	dir, err := os.ReadDir(filepath.Dir(path)) // sorted
	if err != nil {
		return files
	}
	for _, e := range dir {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == filepath.Ext(path) && e.Name() != filepath.Base(path) {
			files = append(files, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return files
}

func hashFile(h hash.Hash, what, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	own := sha256.New()
	if _, err := io.Copy(own, f); err != nil {
		return err
	}
	fmt.Fprintf(h, "%s %x\n", what, own.Sum(nil))
	return nil
}
