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
