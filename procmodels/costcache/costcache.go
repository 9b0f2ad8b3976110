// Package costcache keeps costs on disk, by a key that stands for everything they
// depend on:
//
//	cache := costcache.FromEnvironment()
//	costs := cache.Get(key, program, "cortex-a53")
//	cache.Put(key, costs)
//
// An entry is a file of gzip-compressed replies of package pluginpb, each behind its
// length, written beside its place and renamed. What cannot be read is no entry, and a
// cache that cannot be written does nothing: it saves time and is never a reason to
// fail. The package does not know what belongs into a key.
package costcache

// This file reads and writes entries.

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
	"pathspan/scratch"
)

// Variable names the folder of the caches, or switches them off: "off".
const Variable = "PATHSPAN_CACHE"

// Key stands for everything that costs depend on.
type Key [32]byte

// Cache is a folder of entries. A nil Cache keeps nothing.
type Cache struct {
	Dir   string
	Limit int64 // bytes of all entries; the oldest go when they pass it
}

// limit is far above what one program's costs take: some 30 bytes a block.
const limit = 512 << 20

// FromEnvironment is the folder costs in PATHSPAN_CACHE, else in pathspan's folder of
// the user's caches; nil when that is switched off or there is none.
func FromEnvironment() *Cache {
	dir := os.Getenv(Variable)
	switch dir {
	case "off":
		return nil
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(user, "pathspan")
	}
	return &Cache{Dir: filepath.Join(dir, "costs"), Limit: limit}
}

// ending marks entries, so that nothing else in the folder is ever removed.
const ending = ".costs"

func (c *Cache) path(key Key) string { return filepath.Join(c.Dir, hex.EncodeToString(key[:])+ending) }

// Get returns the costs of that key for the program, with the model's name in them, nil
// when there is no entry that can be read and fits.
func (c *Cache) Get(key Key, p *ir.Program, model string) *procmodels.Costs {
	if c == nil {
		return nil
	}
	f, err := os.Open(c.path(key))
	if err != nil {
		return nil
	}
	defer f.Close()
	costs, err := read(f, p, model)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // used lately
	return costs
}

func read(r io.Reader, p *ir.Program, model string) (*procmodels.Costs, error) {
	z, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(z)
	costs := wire.NewCostsReader(p, model)
	for {
		reply := &pluginpb.PriceReply{}
		err := protodelim.UnmarshalFrom(in, reply)
		if errors.Is(err, io.EOF) { // and the checksum was right
			return costs.Costs()
		}
		if err != nil {
			return nil, err
		}
		if err := costs.Add(reply); err != nil {
			return nil, err
		}
	}
}

// Put writes the costs of that key. It replaces an entry as a whole.
func (c *Cache) Put(key Key, costs *procmodels.Costs) {
	if c == nil || os.MkdirAll(c.Dir, 0o755) != nil {
		return
	}
	if scratch.Place(c.path(key), 0o600, func(w io.Writer) error { return write(w, costs) }) == nil {
		c.prune()
	}
}

func write(w io.Writer, costs *procmodels.Costs) error {
	out := bufio.NewWriter(w)
	z, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return err
	}
	err = wire.SendCosts(costs, func(reply *pluginpb.PriceReply) error {
		_, err := protodelim.MarshalTo(z, reply)
		return err
	})
	return errors.Join(err, z.Close(), out.Flush())
}

// isEntry tells an entry from other files.
func isEntry(name string) bool { return strings.HasSuffix(name, ending) }
