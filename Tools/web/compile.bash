# Compiles the engine's modules for WebAssembly; sourced, not run, from the top of the checkout.

. Tools/gates/common.bash

# Of Debian: the C library, and what the compiler calls for arithmetic that the CPU lacks.
install wasi-libc=* libclang-rt-dev-wasm32=*

objects=.build/web-objects
swift_bin=$(toolchain)
web_flags=(
    -target wasm32-unknown-none-wasm -wmo -parse-as-library -swift-version 6 -package-name swift-gesture
    -enable-experimental-feature Embedded -enable-experimental-feature Extern -enable-experimental-feature Lifetimes
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility
    # A trap needs no canary, and the C library has none.
    -Xfrontend -disable-stack-protector
    # All objects alike: it changes how vectors are returned.
    -Xcc -msimd128 -I Sources/CModules/CWasmSIMD
    -module-cache-path "$objects/cache" -I "$objects"
)

# Folders of sources that a browser has no use for.
left_out=Files,Live,Sensors,Coding

# What Package.swift says of PageSession: the modules that it needs, each after those that it imports, and their folders.
modules=()
declare -A folders
while IFS=$'\t' read -r module sources _; do
    modules+=("$module")
    folders[$module]=$sources
done < <(swift package dump-package | python3 Tools/gates/modules.py --architecture wasm32 --without "$left_out" PageSession)
[ "${#modules[@]}" -gt 0 ] || fail "Package.swift cannot be read"

# compile MODULE: makes the module's object and interface in $objects, unless nothing has changed since.
#
# A module is compiled again if it or one before it has changed, because the compiler takes code of one into another.
compile() {
    local module=$1 options=(-O) key sources
    case $module in
    # Their callers prove the arguments.
    KernelInterface | KernelsWASM) options=(-Ounchecked) ;;
    esac
    case $module in
    Platform | Kernel*) ;;
    *) options+=(-Xfrontend -import-module -Xfrontend Platform) ;;
    esac
    case $module in
    # Swift 6.3 crashes when it writes static arrays of these modules' enumerations.
    BodyPose | PageSession) options+=(-Xllvm -sil-disable-pass=object-outliner) ;;
    esac
    mapfile -t sources < <(find "${folders[$module]}" -name '*.swift' | grep -vE "/(${left_out//,/|})/" | sort)
    key=$(
        {
            printf '%s\n' "${web_flags[@]}" "${options[@]}" "$before" "$swift_version"
            sha256sum "${sources[@]}"
        } | sha256sum
    )
    before=$key
    [ "$(cat "$objects/$module.key" 2>/dev/null || true)" = "$key" ] && return 0
    rm -f "$objects/$module.key"
    "$swift_bin/swiftc" "${web_flags[@]}" "${options[@]}" -module-name "$module" "${sources[@]}" -c -emit-module \
        -emit-module-path "$objects/$module.swiftmodule" -o "$objects/$module.o"
    echo "$key" >"$objects/$module.key"
}
before=
swift_version=$(swiftc --version 2>/dev/null)
mkdir -p "$objects"

# link FILE MODULE...: the modules' objects as one WebAssembly module.
link() {
    local file=$1 runtime module inputs=()
    runtime=$(echo /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a)
    shift
    for module in "$@"; do inputs+=("$objects/$module.o"); done
    # The stack lies below the data, so that an overflow traps.
    "$swift_bin/wasm-ld" --no-entry --gc-sections --strip-all --export-memory --stack-first -z stack-size=1048576 \
        "${inputs[@]}" "$swift_bin/../lib/swift/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a" \
        -L/usr/lib/wasm32-wasi -lc -lm "$runtime" -o "$file"
}
