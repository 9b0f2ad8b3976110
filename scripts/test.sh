#!/usr/bin/env bash
# This file runs go test for `make test` and says at the end what else was not done:
#
#   scripts/test.sh GOTESTSUM NOTE [flags of go test] ./...
#
# GOTESTSUM shows what fails, in full, as soon as it has failed, a line for each package, and
# at the end what was skipped and why. Where it could not be built, go test runs by itself.
# NOTE is what was not done before, or empty. The tests get an empty folder for temporary
# files, and what they leave in it is a failure.
set -uo pipefail

gotestsum=$1 note=$2
shift 2
dir=$(mktemp -d -t t.XXXXXX) || exit # a short name, since tests bind sockets below it
export GOGC=${GOGC:-800} # a seventh of the tests' time went to collecting a few MB again and again
trap 'rm -rf "$dir"' EXIT
if [ -x "$gotestsum" ]; then
    TMPDIR=$dir "$gotestsum" --format pkgname-and-test-fails --format-hide-empty-pkg -- "$@"
else
    TMPDIR=$dir go test "$@"
fi
status=$?
[ -x "$gotestsum" ] || echo 'not done: a list of what was skipped and why, as gotestsum could not be fetched and built'
[ -z "$note" ] || echo "not done: $note"
missing=$(scripts/deps.sh missing)
[ -z "$missing" ] || echo "not done: tests of what is $missing"
# What a process of the tests removes as it ends may take a moment to go.
for _ in {1..50}; do
    left=$(ls -A "$dir")
    [ -n "$left" ] || exit "$status"
    sleep 0.1
done
echo "failed: left in the folder for temporary files:" $left
exit $((status ? status : 1))
