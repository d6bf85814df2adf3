# Compiles every module of the library for musl, the C library of Alpine and of Swift's static Linux SDK.
#
# This toolchain has Swift's modules for glibc alone. Their types have the same layout on musl, so copies of them with
# another target written into them serve here, with the C headers of Debian's musl. Every module is type-checked, with the
# bodies of its functions; its machine code would be that for glibc. Nothing runs, as Swift's own library for musl is not there.
#
# Sources that build plugins write are those of the last `Tools/build`.
#
# `emulated musl --self-test` passes when it refuses a module that calls a function of glibc which musl lacks.

install musl-dev=1.2* linux-libc-dev=*

# Of one length, so that no offset in a file changes.
from=x86_64-unknown-linux-gnu to=x86_64-swift0-linux-musl

mine=$(realpath "$(toolchain)/../lib/swift")
mkdir -p "$scratch/resources/musl/x86_64" "$scratch/modules" "$scratch/cache" "$scratch/root/usr/include"
# musl's headers, and the kernel's, which both C libraries share.
ln -s /usr/include/x86_64-linux-musl/* /usr/include/{linux,asm-generic,x86_64-linux-gnu/asm} "$scratch/root/usr/include/"
for entry in "$mine"/*; do
    [ "$(basename "$entry")" = linux ] || ln -s "$entry" "$scratch/resources/"
done
for name in Swift SwiftOnoneSupport Synchronization _Concurrency _StringProcessing _RegexParser; do
    mkdir "$scratch/resources/musl/$name.swiftmodule"
    LC_ALL=C sed "s/$from/$to/; s/Glibc/CMusl/" "$mine/linux/$name.swiftmodule/$from.swiftmodule" \
        >"$scratch/resources/musl/$name.swiftmodule/x86_64-unknown-linux-musl.swiftmodule"
done
# The C library, at the place where the compiler looks for it.
for header in ctype dirent dlfcn errno fcntl inttypes limits locale math poll pthread sched signal stdio stdlib string time \
    unistd sys/mman sys/random sys/resource sys/stat sys/syscall sys/types sys/uio sys/wait; do
    echo "#include <$header.h>"
done >"$scratch/resources/musl/x86_64/SwiftMusl.h"
printf '%s\n' 'module CMusl [system] {' '    header "SwiftMusl.h"' '    export *' '}' \
    >"$scratch/resources/musl/x86_64/musl.modulemap"

# What Swift's own module `Musl` adds to the C library: names that C has as macros, and functions with variable arguments.
cat >"$scratch/Musl.swift" <<'SWIFT'
@_exported import CMusl

public var errno: Int32 {
    get { __errno_location().pointee }
    set { __errno_location().pointee = newValue }
}
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var SIG_DFL: sighandler_t? { nil }
public var SIG_IGN: sighandler_t { unsafeBitCast(1, to: sighandler_t.self) }
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { -1 }
SWIFT

# compile_for_musl MODULE FLAGS...: with the flags that the manifest gives it.
compile_for_musl() {
    local module=$1
    shift
    swiftc -Onone -whole-module-optimization -parse-as-library -swift-version 6 -target x86_64-unknown-linux-musl \
        -sdk "$scratch/root" -resource-dir "$scratch/resources" -module-cache-path "$scratch/cache" -I "$scratch/modules" \
        -package-name swift_gesture -module-name "$module" -emit-module -emit-module-path "$scratch/modules/$module.swiftmodule" \
        "$@"
}

compile_for_musl Musl "$scratch/Musl.swift" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "the C library cannot be imported"
}

if [ "${1:-}" = --self-test ]; then
    printf '%s\n' 'import Musl' 'package func name() -> Int32 { getpid() }' >"$scratch/good.swift"
    compile_for_musl Good "$scratch/good.swift" || fail "self-test: a call of musl is refused"
    printf '%s\n' 'import Musl' 'package func name() { _ = gnu_get_libc_version() }' >"$scratch/bad.swift"
    ! compile_for_musl Bad "$scratch/bad.swift" 2>/dev/null || fail "self-test: a call that musl lacks goes unseen"
    printf '%s\n' 'import Glibc' >"$scratch/other.swift"
    ! compile_for_musl Other "$scratch/other.swift" 2>/dev/null || fail "self-test: glibc is to be had"
    echo "self-test: a call that musl lacks and glibc's own module are refused"
    exit
fi

# Float products are plain Swift without BLAS.
swift package dump-package | python3 Tools/gates/modules.py >"$scratch/targets"
each_module compile_for_musl <"$scratch/targets"
[ "$count" -ge 15 ] || fail "only $count modules were found"
echo "$count modules compile for musl ($SECONDS s)"
