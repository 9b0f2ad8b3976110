package costcache

// This file keeps the cache within its limit.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pathspan/scratch"
)

// abandoned is when an entry that was being written is taken for left behind.
const abandoned = time.Hour

// prune removes the entries that were used longest ago until the rest is within nine
// tenths of the limit, if it had passed it.
func (c *Cache) prune() {
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var entries []os.FileInfo
	total := int64(0)
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(f.Name(), scratch.Unfinished) {
			if time.Since(info.ModTime()) > abandoned {
				_ = os.Remove(filepath.Join(c.Dir, f.Name()))
			}
			continue
		}
		if !isEntry(f.Name()) {
			continue
		}
		entries = append(entries, info)
		total += info.Size()
	}
	if total <= c.Limit {
		return
	}
	slices.SortFunc(entries, func(a, b os.FileInfo) int {
		if d := a.ModTime().Compare(b.ModTime()); d != 0 {
			return d
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, e := range entries {
		if total <= c.Limit/10*9 {
			return
		}
		if os.Remove(filepath.Join(c.Dir, e.Name())) == nil {
			total -= e.Size()
		}
	}
}
