# The package on arm64 Linux, emulated: the tests of the stages, and the beginnings of both demo clips, on a CPU that
# multiplies matrices of bytes (i8mm), on one that has dot products alone, and on one with neither.
#
# It fetches a gigabyte from Debian's unstable suite, builds the package anew, and takes hours under the emulator. A suite is a
# test target, as KernelTests, or `clips`; --jobs N runs N at once. After each suite it writes what is known of this commit to
# arm64.md: a run that is cut off, or that was asked for some suites, leaves the other cells as they were.
#
# A machine with many cores that has neither a compiler nor a network can run the suites:
#
#     Tools/gates/emulated arm64 --pack FILE            # here: builds, and packs the tests, the libraries and the emulator
#     Tools/gates/emulated arm64 --unpacked FILE ...    # there, at the same path of the checkout: runs from the pack
#
# and the folder `cells` of its $ARM64_WORK goes into the one here.
#
# Libraries and builds stay in a folder, $ARM64_WORK or ~/.cache/swift-gesture/arm64, for the next run. Delete it, and
# they are made anew.
#
# This toolchain compiles for arm64, but has modules and libraries for its own machine alone. Debian has libraries for
# arm64, of an older Swift whose modules this compiler does not read. So the modules are this toolchain's with another
# target written into them, as types have the same layout on both, and the libraries are Debian's. A function that those
# lack is an error of the linker. Testing alone is as Debian has it, with its textual interface and its macros.

cpus=(max neoverse-n1 cortex-a57)
# What the tiers ask for, as Linux calls it. The kernel tests must run on the tiers `i8mm` and `dotprod` where these
# allow them, and nowhere else.
declare -A features=([max]='asimddp i8mm' [neoverse-n1]='asimddp' [cortex-a57]='')
rows=(PlatformTests KernelTests clips FramesTests RecognitionTests SchedulingTests NetworkTests
    TrackingTests HandTrackingTests BodyTrackingTests)
# Of one suite on one CPU. An emulated suite takes about thirty times as long as otherwise.
limit_s=7200
results=Tools/gates/emulation/arm64.md

jobs=1 pack='' unpacked=''
while [[ ${1-} == --* ]]; do
    case $1 in
    --jobs) jobs=$2 ;;
    --pack) pack=$2 ;;
    --unpacked) unpacked=$2 ;;
    *) fail "unknown option $1" ;;
    esac
    shift 2
done
wanted=("${rows[@]}")
[ $# -eq 0 ] || wanted=("$@")
if [ -z "$unpacked" ]; then
    swiftc --version 2>/dev/null | grep -q 'Swift version 6\.3' ||
        fail "the trick with the modules is known to work with Swift 6.3"
    install qemu-user-static=1:7.2* ffmpeg=7:5.1.*
fi

work=${ARM64_WORK:-${XDG_CACHE_HOME:-$HOME/.cache}/swift-gesture/arm64}
mkdir -p "$work"
work=$(realpath "$work")
# One run at a time, as runs share the folder.
exec 9>"$work/lock"
flock 9
root=$work/sysroot
host=$work/host
resources=$work/resources
build=$work/build
products=$build/aarch64-unknown-linux-gnu/release

# Unpacked, not installed. Swift's version matters for the macros of Testing, which are a program of this machine.
swift='6.2.*'
for_arm64=("swiftlang=$swift" "libswiftlang=$swift" libc6 libc6-dev linux-libc-dev libgcc-s1 libgcc-14-dev libstdc++6
    libstdc++-14-dev zlib1g libxml2-16 tzdata libopenblas0-pthread libopenblas-pthread-dev libgfortran5 libatomic1)
for_host=("swiftlang=$swift" "libswiftlang=$swift" libc6 libgcc-s1 libstdc++6)

# The address of Debian that this machine's apt has.
mirror() {
    local address
    # shellcheck disable=SC1091
    address=$(. /etc/os-release && apt-get indextargets --format '$(REPO_URI)' "Release: $VERSION_CODENAME" | head -n 1)
    [ -n "$address" ] || fail "apt has no mirror of this Debian"
    echo "$address"
}

# download ARCHITECTURE PACKAGE...: into $work/packages/ARCHITECTURE, by an apt with settings and lists of its own.
download() {
    local architecture=$1 apt=$work/apt/$1 mirror
    shift
    mirror=$(mirror)
    mkdir -p "$apt"/{lists,cache/archives}/partial "$work/packages/$architecture"
    : >"$apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror unstable main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<EOF
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/nonexistent";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
EOF
    APT_CONFIG=$apt/apt.conf apt-get -qq update
    (cd "$work/packages/$architecture" && APT_CONFIG=$apt/apt.conf apt-get -qq download "$@") ||
        fail "Debian's unstable suite has other packages now: choose anew"
}

# Fills `root` with what programs of arm64 need, and `host` with the macros of Testing and what they need.
unpack() {
    local package library=./usr/libexec/swift/lib/swift openblas=usr/include/aarch64-linux-gnu/openblas-pthread
    rm -rf "$root" "$host" "$work/packages"
    mkdir -p "$root" "$host"
    download arm64 "${for_arm64[@]}"
    download amd64 "${for_host[@]}"
    # All of a package, but of the compilers, 3 GB each, a few folders.
    for package in "$work"/packages/arm64/*.deb; do
        case $package in
        */swiftlang_*) dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" "$library/linux" ;;
        *) dpkg-deb -x "$package" "$root" ;;
        esac
    done
    for package in "$work"/packages/amd64/*.deb; do
        case $package in
        */swiftlang_*)
            dpkg-deb --fsys-tarfile "$package" |
                tar -x -C "$host" "$library/host/plugins" ./usr/libexec/swift/bin/swift-plugin-server
            ;;
        *) dpkg-deb -x "$package" "$host" ;;
        esac
    done
    # Links that the installation of a package would make.
    ln -sfn usr/lib "$root/lib"
    (cd "$root/usr/include/aarch64-linux-gnu" && ln -sf openblas-pthread/*.h .)
    (cd "$root/usr/lib/aarch64-linux-gnu" && ln -sf openblas-pthread/libopenblas.so* .)
    for package in swiftlang libc6 libopenblas0-pthread; do
        dpkg-deb --show --showformat '${Package} ${Version}\n' "$work/packages/arm64/${package}"_*.deb
    done >"$work/versions"
    rm -r "$work/packages" "$work/apt"
}

# Makes the compiler's resource folder: this toolchain's modules for another target, Debian's libraries.
make_resources() {
    local mine debian=$root/usr/libexec/swift/lib/swift/linux entry module binary
    # Of one length, so that no offset in a file changes. The compiler knows the architecture by both names.
    local from=x86_64-unknown-linux-gnu to=arm64-unknown-linux-gnu0
    mine=$(realpath "$(toolchain)/../lib/swift")
    rm -rf "$resources"
    mkdir -p "$resources/linux/aarch64"
    # The linker looks for them below the root of the system.
    ln -sfn "$resources" "$root/usr/lib/swift"
    # Module maps and headers serve every target; the others are this machine's.
    for entry in "$mine"/*; do
        case $(basename "$entry") in
        linux | host | embedded | pm | migrator | FrameworkABIBaseline) ;;
        *) ln -s "$entry" "$resources/" ;;
        esac
    done
    find "$debian" -maxdepth 1 ! -type d -exec cp -P -t "$resources/linux" {} +
    find "$debian/aarch64" -maxdepth 1 ! -type d ! -name '*.swift*' -exec cp -t "$resources/linux/aarch64" {} +
    for module in "$mine"/linux/*.swiftmodule; do
        entry=$resources/linux/$(basename "$module")
        case $(basename "$module") in
        Testing.* | _TestDiscovery.*)
            mkdir "$entry"
            cp "$debian/$(basename "$module")/aarch64-unknown-linux-gnu.swiftinterface" "$entry/"
            ;;
        # What joins Testing with Foundation and XCTest has no library at Debian.
        _Testing*) ;;
        *)
            binary=$module/$from.swiftmodule
            [ "$(LC_ALL=C grep -aoF "$from" "$binary" | wc -l)" -eq 1 ] || fail "$binary does not name its target once"
            mkdir "$entry"
            LC_ALL=C sed "s/$from/$to/" "$binary" >"$entry/aarch64-unknown-linux-gnu.swiftmodule"
            ;;
        esac
    done
}

# An empty library in the place of curl, which Foundation's networking names and nothing here calls. The real one would
# need twenty more packages. The loader says that it has no versions, and goes on.
make_curl() {
    "$(toolchain)/clang" --target=aarch64-linux-gnu -fuse-ld=lld -shared -nostdlib -Wl,-soname,libcurl.so.4 \
        -x c /dev/null -o "$root/usr/lib/aarch64-linux-gnu/libcurl.so.4"
}

# Tells SwiftPM of the above, as of a Swift SDK.
make_sdk() {
    local bundle=$work/sdks/arm64.artifactbundle swift=$host/usr/libexec/swift
    mkdir -p "$bundle/arm64" "$work/pkgconfig"
    cat >"$bundle/info.json" <<EOF
{
  "schemaVersion": "1.0",
  "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "arm64"}]}}
}
EOF
    cat >"$bundle/arm64/swift-sdk.json" <<EOF
{
  "schemaVersion": "4.0",
  "targetTriples": {
    "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "$root", "swiftResourcesPath": "$resources", "toolsetPaths": ["toolset.json"]
    }
  }
}
EOF
    cat >"$bundle/arm64/toolset.json" <<EOF
{
  "schemaVersion": "1.0",
  "swiftCompiler": {
    "extraCLIOptions": [
      "-use-ld=lld", "-Xclang-linker", "--sysroot=$root", "-module-cache-path", "$work/modules",
      "-external-plugin-path", "$swift/lib/swift/host/plugins#$work/plugin-server"
    ]
  }
}
EOF
    # Debian's program for this machine needs a newer C library than this machine's, so it brings its own.
    cat >"$work/plugin-server" <<EOF
#!/bin/sh
exec "$host/usr/lib64/ld-linux-x86-64.so.2" \\
    --library-path "$host/usr/lib/x86_64-linux-gnu:$swift/lib/swift/linux:$swift/lib/swift/host" \\
    "$swift/bin/swift-plugin-server" "\$@"
EOF
    chmod +x "$work/plugin-server"
    printf '%s\n' 'Name: openblas' 'Description: in the sysroot' 'Version: 0' 'Libs: -lopenblas' 'Cflags:' \
        >"$work/pkgconfig/openblas.pc"
}

# build_package ARGUMENTS...: the package as it lies here.
build_package() {
    PKG_CONFIG_PATH=$work/pkgconfig nice Tools/build --swift-sdks-path "$work/sdks" --swift-sdk arm64 \
        --scratch-path "$build" "$@" >"$work/build.log" 2>&1 && return
    grep -E 'error:|undefined' "$work/build.log" | sort -u | head -n 40 >&2
    fail "the package does not build for arm64: $work/build.log"
}

# emulate CPU PROGRAM...: the engine asks /proc/cpuinfo, and this emulator passes on the host's. But it looks for every
# file in the folder of the CPU first, which has a /proc/cpuinfo of its own and otherwise the sysroot's folders.
emulate() {
    local cpu=$1 emulator=qemu-aarch64-static folder=$work/cpus/$1
    shift
    [ -z "$unpacked" ] || emulator=$work/$emulator
    mkdir -p "$folder/proc"
    ln -sfn "$root/usr" "$folder/usr"
    ln -sfn "$root/usr/lib" "$folder/lib"
    printf '%s\n' 'processor : 0' "Features : fp asimd ${features[$cpu]}" >"$folder/proc/cpuinfo"
    SWIFT_BACKTRACE=enable=no nice timeout --kill-after=30 "$limit_s" "$emulator" -cpu "$cpu" -L "$folder" "$@"
}

# write_pack FILE: what a run of the suites needs, at its place below $work.
write_pack() {
    local to=$work/pack programs path
    programs=$to${products#"$work"}
    rm -rf "$to"
    mkdir -p "$programs"
    cp -r "$products"/*.resources "$programs/"
    "$(toolchain)/llvm-objcopy" --strip-all "$products/swift-gesturePackageTests.xctest" \
        "$programs/swift-gesturePackageTests.xctest"
    cp "$(command -v qemu-aarch64-static)" "$to/"
    echo "$revision" >"$to/revision"
    facts >"$to/facts"
    # Every library that the program opens, as its loader lists them: here or in the sysroot.
    emulate max "$work/cpus/max/lib/ld-linux-aarch64.so.1" --list "$products/swift-gesturePackageTests.xctest" |
        sed -nE 's/.* => (\/[^ ]+) .*/\1/p' | while read -r path; do
        case $path in
        "$resources"/*) ;;
        "$work"/cpus/*) path=$root/usr/lib/ld-linux-aarch64.so.1 ;;
        *) path=$root/usr$path ;;
        esac
        mkdir -p "$to$(dirname "${path#"$work"}")"
        cp -L "$path" "$to${path#"$work"}"
    done
    tar -C "$to" -c . | xz -T0 -6 >"$1"
    rm -r "$to"
}

if [ -n "$unpacked" ]; then
    rm -rf "$build" "$root" "$resources"
    xz -dc "$unpacked" | tar -C "$work" -x
    revision=$(cat "$work/revision")
else
    revision=$(git rev-parse --short HEAD)
    [ -z "$(git status --porcelain -- . ":!$results")" ] || revision+=-dirty
fi
# What this commit's runs found, a file for each cell of the table.
cells=$work/cells/$revision
mkdir -p "$cells"

# note CPU ROW TEXT: says it, and keeps it for the table.
note() {
    echo "$1: $2: $3"
    echo "$3" >"$cells/$1, $2"
    (
        flock 8
        write_results >"$work/results.md"
        cp "$work/results.md" "$results"
    ) 8>"$work/results.lock"
}

# run_suite CPU SUITE
run_suite() {
    local cpu=$1 suite=$2 log=$work/$1-$2.log began=$SECONDS status=0 tests tiers fast
    emulate "$cpu" "$products/swift-gesturePackageTests.xctest" --testing-library swift-testing \
        --filter "^$suite\\." >"$log" 2>&1 || status=$?
    tests=$(sed -nE 's/.*Test run with ([0-9]+) tests?.* passed .*/\1/p' "$log")
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        note "$cpu" "$suite" "**no end within $limit_s s**"
    elif [ "$status" -ne 0 ] || [ "${tests:-0}" -eq 0 ]; then
        failures_of "$log"
        note "$cpu" "$suite" "**status $status**"
    else
        note "$cpu" "$suite" "$tests tests, $((SECONDS - began)) s"
        [ "$suite" = KernelTests ] || return 0
        tiers=$(tiers_of "$log")
        note "$cpu" tiers "$tiers"
        fast=$(tr ' ' '\n' <<<"$tiers" | grep -xE 'dotprod|i8mm' | paste -sd ' ' || true)
        [ "$fast" = "$(sed 's/asimddp/dotprod/' <<<"${features[$cpu]}")" ] && return
        note "$cpu" tiers "**$tiers**"
    fi
    return 1
}

# run_clip CPU FRONT_END VIDEO LOG
run_clip() {
    local cpu=$1 front_end=$2 video=$3 log=$4 found began=$SECONDS
    if found=$(replay_start "$front_end" "$video" "$log" emulate "$cpu" "$products/gesture-bench"); then
        note "$cpu" "clip by $front_end" "$found, $((SECONDS - began)) s"
    else
        note "$cpu" "clip by $front_end" "**it fails, or gives other events than the log has**"
        return 1
    fi
}

# facts: rows of the page about what was built with what.
facts() {
    cat <<EOF
| compiler | $(swiftc --version 2>/dev/null | sed -nE 's/.*(Swift version [0-9.]+).*/\1/p') |
| libraries | Debian unstable: $(paste -sd ',' "$work/versions" | sed 's/,/, /g') |
| emulator | $(qemu-aarch64-static --version | sed -nE '1s/^(.*version [0-9.]+).*/\1/p') |
EOF
}

# write_results: the notes as a page.
write_results() {
    local cpu row
    cat <<EOF
# arm64, emulated

\`Tools/gates/emulated arm64\` wrote this page: what its runs at this commit found. An empty cell was not run. Times are those of the
emulator, and of whatever else the machine did.

| what | |
|---|---|
| date, commit | $(date -u +%F), $revision |
$(if [ -n "$unpacked" ]; then cat "$work/facts"; else facts; fi)

EOF
    printf '| |'
    printf ' %s |' "${cpus[@]}"
    printf '\n|---|'
    printf -- '---|%.0s' "${cpus[@]}"
    printf '\n| features |'
    for cpu in "${cpus[@]}"; do printf ' %s |' "${features[$cpu]:-neither}"; done
    for row in tiers "${rows[@]/clips/clip by pixels}" 'clip by landmarks'; do
        printf '\n| %s |' "$row"
        for cpu in "${cpus[@]}"; do printf ' %s |' "$(cat "$cells/$cpu, $row" 2>/dev/null)"; done
    done
    echo
}

# stage TEXT
stage() { echo "$1 ($SECONDS s)"; }

if [ -z "$unpacked" ]; then
    if [ ! -e "$work/versions" ]; then
        unpack
        stage "unpacked the libraries, $(du -sh "$root" | cut -f 1)"
    fi
    make_resources
    make_curl
    make_sdk
    # The tests run what the products are, and building tests alone leaves the products out.
    build_package --product gesture-bench
    build_package --build-tests
    stage "built, $(du -sh "$build" | cut -f 1)"
fi
if [ -n "$pack" ]; then
    write_pack "$pack"
    stage "packed, $(du -h "$pack" | cut -f 1)"
    exit
fi

bad=0
for row in "${wanted[@]}"; do
    for cpu in "${cpus[@]}"; do
        [ "$(jobs -pr | wc -l)" -lt "$jobs" ] || wait -n || bad=1
        case $row in
        clips)
            { run_clip "$cpu" pixels Weights/demo/demo.mp4 Weights/demo/events.jsonl &&
                run_clip "$cpu" landmarks Weights/demo/hands.mp4 Weights/demo/hands.jsonl; } &
            ;;
        *) run_suite "$cpu" "$row" & ;;
        esac
    done
done
while [ -n "$(jobs -pr)" ]; do wait -n || bad=1; done
stage "ran"
cat "$results"
[ "$bad" -eq 0 ] || fail "the package is not right on arm64"
