# What the gates share; sourced, not run.

# Installs the Debian packages given as name=version; does nothing where they are there already.
install() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "${package%%=*}" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    local run=()
    [ "$(id -u)" -eq 0 ] || run=(sudo)
    "${run[@]}" apt-get update -q
    DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# The folder of the Swift toolchain's own programs (ld.lld, llvm-nm, llvm-objdump).
toolchain() {
    local resources
    resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
    (cd "$resources/../../bin" && pwd)
}

# Says what is wrong and ends the gate.
fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# hide_features PATTERN COMMAND...: runs a command on a CPU whose features do not match, as far as Linux tells: a mount
# namespace shows it another /proc/cpuinfo. Takes root or user namespaces.
hide_features() {
    local pattern=$1 file status=0
    shift
    file=$(mktemp)
    sed -E "s/ ($pattern)//g" /proc/cpuinfo >"$file"
    "${namespace[@]}" sh -c 'mount --bind "$0" /proc/cpuinfo && exec "$@"' "$file" "$@" || status=$?
    rm "$file"
    return "$status"
}
namespace=(unshare --mount)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --map-root-user --mount)

# Whether `hide_features` can work here.
hides_features() { "${namespace[@]}" mount --bind /proc/cpuinfo /proc/cpuinfo 2>/dev/null; }

# first_pause LOG: the first moment of a demo clip, in seconds, 0.1 s after an end event of its log and 0.1 s before the next
# begin event. No gesture is open there.
first_pause() {
    local seconds
    seconds=$(awk '
        match($0, /"decision_s":[0-9.]+/) {
            time = substr($0, RSTART + 13, RLENGTH - 13) + 0
            if (ended && time > ended + 0.2) exit
            ended = /"event":"end"/ ? time : 0
        }
        END { if (ended) print ended + 0.1 }' "$1")
    [ -n "$seconds" ] || fail "$1 has no end event with a pause after it"
    echo "$seconds"
}

# events_before SECONDS LOG: the lines of the log up to then.
events_before() {
    awk -v end="$1" 'match($0, /"decision_s":[0-9.]+/) && substr($0, RSTART + 13, RLENGTH - 13) + 0 < end' "$2"
}
