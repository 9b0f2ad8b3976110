#!/usr/bin/env bash
# This file installs the Debian packages that pathspan needs, where it may:
#
#   scripts/deps.sh demo      one supported clang with its LLVM tools
#   scripts/deps.sh test      all that a test would be skipped without: LLVM 14, 16, 19 and
#                             22, each with clang's profile runtime; libomp; other compilers,
#                             linkers and build tools; Python with gRPC, which models in
#                             Python need; Chromium, in which the page of a report is
#                             tried; readers and judges of what is written and drawn
#   scripts/deps.sh missing   installs nothing; says in one line what of the latter is
#                             missing and how to install it
#
# It may as root, or with sudo that asks for no password; INSTALL=no forbids it.
# What it may not install it names, and it fails only where nothing usable is
# left.
set -euo pipefail

oldest=14 newest=22

# has N: a complete LLVM N, by the rules of build/toolchain.
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

# wanted test|demo: the packages that are missing, one a line.
wanted() {
    local v last=0 # the newest LLVM that there will be
    case $1 in
    test)
        for v in 14 16 19 22; do
            if ! has "$v"; then
                if offered "$v"; then
                    printf '%s\n' "clang-$v" "llvm-$v" "libclang-rt-$v-dev"
                    last=$v
                fi
            elif ! has_runtime "$v"; then
                echo "libclang-rt-$v-dev"
            fi
        done
        # The library whose schedules of loops are held to what it does.
        v=$(installed)
        v=${v%%$'\n'*} # the newest
        if [ "${v:-0}" -lt "$last" ]; then v=$last; fi
        [ -z "$v" ] || [ -e "/usr/lib/llvm-$v/lib/libomp.so" ] || ! offers "libomp-$v-dev" || echo "libomp-$v-dev"
        # Compilers and linkers that programs are built with beside clang.
        local tool
        for tool in gcc g++ make; do
            command -v "$tool" >/dev/null || echo "$tool"
        done
        command -v ld.lld >/dev/null || echo lld
        # What programs of other machines are built and run with, as toolchain.Target has it.
        local target debian
        while read -r target debian; do
            [ "$target" != "$(uname -m)-linux-gnu" ] || continue
            [ -e "/usr/$target/include/stdio.h" ] || echo "libc6-dev-$debian-cross"
            compgen -G "/usr/lib/gcc-cross/$target/*/libgcc.a" >/dev/null || echo "libgcc-12-dev-$debian-cross"
            compgen -G "/usr/$target/include/c++/*/vector" >/dev/null || echo "libstdc++-12-dev-$debian-cross"
            command -v "$target-ld" >/dev/null || echo "binutils-$target"
        done <<<'aarch64-linux-gnu arm64
riscv64-linux-gnu riscv64
arm-linux-gnueabihf armhf'
        command -v qemu-aarch64 >/dev/null || command -v qemu-aarch64-static >/dev/null || echo qemu-user
        # It brings python3 and python3-protobuf.
        /usr/bin/python3 -c 'import grpc, google.protobuf' 2>/dev/null || echo python3-grpcio
        has_browser || echo chromium
        command -v cmake >/dev/null || echo cmake
        command -v protoc >/dev/null || echo protobuf-compiler
        # Outside readers and judges of what pathspan writes and draws.
        command -v xmllint >/dev/null || echo libxml2-utils
        command -v dot >/dev/null || echo graphviz
        command -v groff >/dev/null || echo groff-base
        command -v verilator >/dev/null || echo verilator
        command -v vcd2fst >/dev/null || echo gtkwave
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

has_lists() { compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; }

# offered N: there are packages of LLVM N. On a machine that has no lists of packages yet,
# those are taken to be there that any Debian 12 has; 22 comes with its security updates.
offered() {
    if has_lists; then available "clang-$1" && available "llvm-$1"; else [ "$1" != 22 ]; fi
}

# offers PACKAGE: apt has it, or has no lists of what it has.
offers() { ! has_lists || available "$1"; }

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

# install_command PACKAGES: a line that installs them, as toolchain.InstallCommand.
install_command() {
    local install="apt-get install -y --no-install-recommends $*"
    if [ "$(id -u)" = 0 ]; then
        echo "apt-get update && $install"
    elif command -v sudo >/dev/null; then
        echo "sudo apt-get update && sudo $install"
    else
        echo "su -c 'apt-get update && $install'"
    fi
}

# missing test|demo: nothing, or a line.
missing() {
    local packages
    mapfile -t packages < <(wanted "$1")
    if [ ${#packages[@]} != 0 ]; then
        echo "missing ${packages[*]}; install with: $(install_command "${packages[@]}")"
    fi
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
            echo "deps: apt-get install -y --no-install-recommends ${packages[*]}"
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "${packages[@]}" ||
                echo "deps: apt-get install failed" >&2
        fi
        mapfile -t packages < <(wanted "$1")
        if [ ${#packages[@]} = 0 ]; then return; fi
    fi
    echo "deps: $(missing "$1")" >&2
    if [ -z "$(installed)" ]; then
        echo "deps: no clang of version $oldest to $newest with opt and llvm-link is installed, so nothing can be profiled" >&2
        return 1
    fi
    echo "deps: going on with LLVM $(installed | paste -sd' ')" >&2
}

case ${1:-} in
demo | test) ensure "$1" ;;
missing) missing test ;;
*)
    echo "usage: scripts/deps.sh demo|test|missing" >&2
    exit 2
    ;;
esac
