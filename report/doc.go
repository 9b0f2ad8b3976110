// Package report renders results: as text for people and JSON for programs.
//
// It computes nothing that another package would need; a number that appears here
// comes from pathprof, htg or estimate.
package report
