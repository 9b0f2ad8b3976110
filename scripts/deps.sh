#!/usr/bin/env bash
# This file installs the Debian packages that pathspan needs, where it may:
#
#   scripts/deps.sh demo     one supported clang with its LLVM tools
#   scripts/deps.sh test     LLVM 14 and 19, each with clang's profile runtime; gRPC for
#                            Python, which models in Python need; Chromium, in which the
#                            page of a report is tried; cmake; readers and judges of what
#                            is written and drawn (xmllint, Graphviz, networkx)
#   scripts/deps.sh report   installs nothing; says which LLVM the tests cover, and which
#                            tests are skipped
#
# It may as root, or with sudo that asks for no password; INSTALL=no forbids it.
# What it may not install it names, and it fails only where nothing usable is
# left.
set -euo pipefail

oldest=14 newest=22

# has N: a complete LLVM N, by the rules of ir/toolchain.
has() {
    local dir=/usr/lib/llvm-$1/bin tool
    for tool in clang opt llvm-link; do
        command -v "$tool-$1" >/dev/null || [ -x "$dir/$tool" ] || plain "$tool" "$1" || return 1
    done
}

# plain TOOL N: the command without a version in its name is of version N.
plain() {
    local banner
    banner=$("$1" --version 2>/dev/null) && [[ $banner == *"version $2."* ]]
}

installed() {
    local v
    for ((v = newest; v >= oldest; v--)); do
        if has "$v"; then echo "$v"; fi
    done
}

has_runtime() {
    compgen -G "/usr/lib/llvm-$1/lib/clang/*/lib/*/libclang_rt.profile*" >/dev/null
}

# has_browser: what report/page finds.
has_browser() {
    local name
    for name in "${PATHSPAN_CHROMIUM:-chromium}" chromium-browser google-chrome google-chrome-stable headless-shell; do
        if command -v "$name" >/dev/null; then return; fi
    done
    return 1
}

report() {
    local v covered='' absent=''
    for ((v = newest; v >= oldest; v--)); do
        if has "$v"; then covered+=" $v"; else absent+=" $v"; fi
    done
    echo "LLVM covered by the tests:${covered:- none}; supported but not installed:${absent:- none}"
    for v in $covered; do
        has_runtime "$v" || echo "LLVM $v lacks clang's profile runtime (libclang-rt-$v-dev): tests against its counters are skipped"
    done
    command -v cmake >/dev/null || echo "no cmake: the CMake project is not built with pathspan cc"
    command -v xmllint >/dev/null && command -v dot >/dev/null && /usr/bin/python3 -c 'import networkx' 2>/dev/null ||
        echo "no xmllint, Graphviz or networkx (libxml2-utils, graphviz, python3-networkx): their readings of what is written are skipped"
    has_browser || echo "no Chromium: the test of a report's page in a browser is skipped (install chromium, or name one in PATHSPAN_CHROMIUM)"
}

# wanted test|demo: the packages that are missing, one a line.
wanted() {
    local v
    case $1 in
    test)
        for v in 14 19; do
            has "$v" || printf '%s\n' "clang-$v" "llvm-$v"
            has_runtime "$v" || echo "libclang-rt-$v-dev"
        done
        # It brings python3 and python3-protobuf.
        /usr/bin/python3 -c 'import grpc, google.protobuf' 2>/dev/null || echo python3-grpcio
        has_browser || echo chromium
        command -v cmake >/dev/null || echo cmake
        # Outside readers and judges of what pathspan writes and draws.
        command -v xmllint >/dev/null || echo libxml2-utils
        command -v dot >/dev/null || echo graphviz
        /usr/bin/python3 -c 'import networkx' 2>/dev/null || echo python3-networkx
        ;;
    demo)
        # 19 is in every suite of Debian 12; otherwise the newest there is.
        if [ -z "$(installed)" ]; then
            v=$(first_available 19 22 21 20 18 17 16 15 14)
            printf '%s\n' "clang-$v" "llvm-$v"
        fi
        ;;
    esac
    # Every Debian clang brings these; another clang may not.
    [ -e /usr/include/stdio.h ] || echo libc6-dev
    compgen -G '/usr/include/c++/*/vector' >/dev/null || echo libstdc++-12-dev
    # Go fetches modules over https.
    [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
}

available() {
    local policy
    policy=$(apt-cache policy "$1" 2>/dev/null) && [[ $policy =~ Candidate:\ [^\(] ]]
}

first_available() {
    local v
    for v; do
        if available "clang-$v" && available "llvm-$v"; then
            echo "$v"
            return
        fi
    done
    echo "$1"
}

# as_root COMMAND: runs it as root, if that needs no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    [ "${INSTALL:-yes}" != no ] && command -v apt-get >/dev/null && as_root true 2>/dev/null
}

ensure() {
    local packages absent=() p
    mapfile -t packages < <(wanted "$1")
    if [ ${#packages[@]} = 0 ]; then return; fi
    if may_install; then
        echo "deps: updating the package lists"
        as_root apt-get update -qq || echo "deps: apt-get update failed; going on with the lists there are" >&2
        mapfile -t packages < <(wanted "$1") # the lists may offer other versions now
        for p in "${!packages[@]}"; do
            if ! available "${packages[p]}"; then
                absent+=("${packages[p]}")
                unset "packages[p]"
            fi
        done
        if [ ${#absent[@]} != 0 ]; then
            echo "deps: apt knows no package ${absent[*]}" >&2
        fi
        if [ ${#packages[@]} != 0 ]; then
            echo "deps: apt-get install --no-install-recommends ${packages[*]}"
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "${packages[@]}" ||
                echo "deps: apt-get install failed" >&2
        fi
        mapfile -t packages < <(wanted "$1")
        if [ ${#packages[@]} = 0 ]; then return; fi
    fi
    echo "deps: still missing: ${packages[*]}" >&2
    echo "deps: install by hand: apt-get install --no-install-recommends ${packages[*]}" >&2
    if [ -z "$(installed)" ]; then
        echo "deps: no clang of version $oldest to $newest with opt and llvm-link is installed, so nothing can be profiled" >&2
        return 1
    fi
    echo "deps: going on with LLVM $(installed | paste -sd' ')" >&2
}

case ${1:-} in
demo | test) ensure "$1" ;;
report) report ;;
*)
    echo "usage: scripts/deps.sh demo|test|report" >&2
    exit 2
    ;;
esac
