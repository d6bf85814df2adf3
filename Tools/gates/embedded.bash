# Programs of the kernels for arm64, without an arm64 machine: Embedded Swift compiles, and qemu runs. Sourced, not run,
# after common.bash. `bin` is the toolchain's folder and `build` the folder of what is made.

libc=/usr/aarch64-linux-gnu

install_embedded() { install qemu-user=1:7.2* libc6-dev-arm64-cross=2.36*; }

# compile MODULE FLAGS... FILES...
compile() {
    local module=$1
    shift
    swiftc -wmo -target aarch64-none-none-elf -enable-experimental-feature Embedded -enable-experimental-feature Extern \
        -parse-as-library -swift-version 6 -warnings-as-errors -package-name swift-gesture \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility \
        -module-name "$module" -I "$build" -emit-module -emit-module-path "$build/$module.swiftmodule" \
        -c "$@" -o "$build/$module.o"
}

# The NEON tiers, the portable one, and what they share.
compile_kernels() {
    compile KernelInterface -O Sources/KernelInterface/*.swift
    compile KernelsPortable -O Sources/KernelsPortable/*.swift
    compile KernelsNEON -Ounchecked -Xcc -march=armv8.2-a+dotprod+i8mm Sources/KernelsNEON/*.swift
}

# link MODULE PROGRAM: a module that exports `main`, with the kernels.
link() {
    "$bin/ld.lld" --gc-sections -dynamic-linker /lib/ld-linux-aarch64.so.1 -o "$2" \
        $libc/lib/crt1.o $libc/lib/crti.o "$build"/{"$1",KernelsNEON,KernelsPortable,KernelInterface}.o \
        $libc/lib/libc.so.6 $libc/lib/libc_nonshared.a $libc/lib/ld-linux-aarch64.so.1 $libc/lib/crtn.o
}
