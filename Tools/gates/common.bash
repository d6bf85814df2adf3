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
    # Gates run side by side, and apt-get refuses to wait for another one.
    (
        flock 9
        "${run[@]}" apt-get update -q
        DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
    ) 9>"${TMPDIR:-/tmp}/swift-gesture-install.lock"
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

# page_clips FOLDER: makes clips for the camera of a browser, as Tools/gates/live_page.py expects them: demo.mjpeg, the demo as it
# is; turns.mjpeg, a hand that appears at 2.7 s, rests, and turns to and fro three times and once more; pose.mjpeg, a fist of the
# demo from 2.7 s to 8.7 s; person.mjpeg, a drawn person who does squats; pointing.mjpeg, drawn hands that point.
page_clips() {
    ffmpeg -v error -i Weights/demo/hands.mp4 -vf fps=30 -c:v mjpeg -q:v 3 "$1/demo.mjpeg"
    ffmpeg -v error -ss 1.5 -i Weights/demo/hands.mp4 -frames:v 1 "$1/hand.png"
    local angle=0 turn
    for turn in 4.05,0.6 6.75,0.54 9.45,0.66 16,0.6; do
        angle+="+${turn#*,}*sin(10*(t-${turn%,*}))*between(t,${turn%,*},${turn%,*}+1.25)"
    done
    ffmpeg -v error -loop 1 -framerate 30 -t 20 -i "$1/hand.png" \
        -vf "rotate='$angle':fillcolor=gray,drawbox=color=gray:t=fill:enable='lt(t,2.7)',noise=alls=4:allf=t" \
        -c:v mjpeg -q:v 3 -pix_fmt yuvj420p "$1/turns.mjpeg"
    ffmpeg -v error -ss 7.7 -i Weights/demo/hands.mp4 -frames:v 1 "$1/fist.png"
    ffmpeg -v error -loop 1 -framerate 30 -t 13 -i "$1/fist.png" \
        -vf "drawbox=color=gray:t=fill:enable='not(between(t,2.7,8.7))',noise=alls=4:allf=t" \
        -c:v mjpeg -q:v 3 -pix_fmt yuvj420p "$1/pose.mjpeg"
    ffmpeg -v error -i Tests/Fixtures/body/squat-front.mp4 -vf fps=30 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p "$1/person.mjpeg"
    ffmpeg -v error -i Tests/Fixtures/hands/pointing.mp4 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p "$1/pointing.mjpeg"
}

# each_module COMMAND...: runs `COMMAND... MODULE FLAGS... FILES...` for each line of Tools/gates/modules.py, read from standard
# input, in their order, and prints each module. The first error ends the gate. Sources that build plugins write are those of the
# last `Tools/build`. `count` gets the number of modules.
each_module() {
    local module folder excluded flags files file path log
    log=$(mktemp -p "$scratch")
    count=0
    while IFS=$'\t' read -r module folder excluded flags; do
        files=()
        while IFS= read -r file; do
            for path in ${excluded//:/ }; do
                [[ "$file" != "$folder/$path"* ]] || continue 2
            done
            files+=("$file")
        done < <(find "$folder" .build/plugins/outputs/*/"$module"/ -name '*.swift' 2>/dev/null | sort)
        eval "\"\$@\" $module $flags $(printf '%q ' "${files[@]}")" >"$log" 2>&1 </dev/null || {
            { grep -E '^[^ ].*error:' "$log" || tail -n 20 "$log"; } | awk '!seen[$0]++' | head -n 20 >&2
            fail "$module is refused ($*)"
        }
        count=$((count + 1))
        echo "$module: ${#files[@]} files"
    done
}
