"""Estimates the time of network graphs on arm64 CPUs that are not at hand; see Tools/gates/emulated.

    estimate.py PROGRAM LISTING NAME=CALLS.json...

PROGRAM runs one kernel (Main.swift) and LISTING is its disassembly. An emulator notes every instruction that the kernel
executes, and llvm-mca says how many cycles a CPU model takes for them. Writes a page of Markdown to the output.
"""

import collections
import concurrent.futures
import dataclasses
import functools
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CPUS = ("neoverse-n1", "neoverse-v1", "apple-m1")
GIGAHERTZ = 3
# The tiers in the order of the program's argument, and the CPUs that have their instructions.
TIERS = {
    "portable": CPUS,
    "dotprod": CPUS,
    "i8mm": ("neoverse-v1",),
    "neon": CPUS,
}
KERNELS = ("convolve", "convolveToFloat", "depthwise", "add", "maxPool", "interpolateColumns", "interpolateRows")
MCA = ("llvm-mca-19", "-mtriple=aarch64", "-mattr=+dotprod,+i8mm", "-instruction-info=0", "-resource-pressure=0")
LIBC = "/usr/aarch64-linux-gnu"
# Bounds of sums and of results: some that let kernels round without conversions, and some that do not.
SMALL, LARGE = (1 << 16, 1 << 12), (1 << 26, 1 << 12)
# Rows are measured up to this many pixels, a multiple of a tile; longer ones take proportionally longer.
MOST_PIXELS = 12
# The same for elements of the kernels that have no pixels.
MOST_ELEMENTS = 256


@dataclasses.dataclass(frozen=True)
class Program:
    path: str
    instructions: dict  # text by address
    ranges: str  # of addresses, as the emulator takes them
    mark: int  # the address of `estimate_mark`

    @staticmethod
    def read(path, listing):
        instructions, functions, symbol = {}, {}, None
        for line in pathlib.Path(listing).read_text().splitlines():
            if header := re.match(r"^([0-9a-f]+) <(.*)>:", line):
                symbol = header[2]
                functions[symbol] = [int(header[1], 16)] * 2
            elif body := re.match(r"^\s*([0-9a-f]+):\s+(.*)", line):
                address = int(body[1], 16)
                instructions[address] = re.sub(r"\s*//.*", "", body[2]).strip().replace("\t", " ")
                if symbol:
                    functions[symbol][1] = address
        noted = [
            span
            for name, span in functions.items()
            if re.match(r"gk_|\$e11KernelsNEON|\$e15KernelsPortable|estimate_mark", name)
        ]
        ranges = ",".join(f"{first:#x}..{last:#x}" for first, last in noted)
        return Program(path, instructions, ranges, functions["estimate_mark"][0])

    def trace(self, *arguments):
        """The addresses of the instructions of a kernel's call, in order."""
        with tempfile.NamedTemporaryFile() as log:
            subprocess.run(
                ["qemu-aarch64", "-L", LIBC, "-cpu", "max", "-singlestep", "-d", "exec,nochain", "-dfilter",
                 self.ranges, "-D", log.name, self.path, *map(str, arguments)],
                check=True,
            )
            text = pathlib.Path(log.name).read_text()
        addresses = [int(a, 16) for a in re.findall(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", text, re.M)]
        first, last = (index for index, address in enumerate(addresses) if address == self.mark)
        inside = addresses[first:last]
        # What remains of `estimate_mark` itself.
        end = next(index for index, address in enumerate(inside) if self.instructions[address] == "ret")
        return inside[end + 1 :]


def cycles(text, cpu, iterations=1):
    """What the model of a CPU takes for instructions. Branches are free, as if all were predicted."""
    text = re.sub(r"(?m)^(b|b\.\w+|bl|br|blr|ret|cbn?z|tbn?z)( .*)?$", "nop", text)
    text = re.sub(r"<[^>]*>", "", text)
    text = re.sub(r"(?m)^adrp? (x\d+),.*$", r"mov \1, #1", text)
    output = subprocess.run(
        [*MCA, f"-mcpu={cpu}", f"-iterations={iterations}"], input=text, capture_output=True, text=True, check=True
    ).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", output)[1]) / iterations


def products(instruction):
    """How many products an instruction adds."""
    name, _, operands = instruction.partition(" ")
    if name == "usmmla":
        return 32
    if name in ("sdot", "usdot"):
        return 16
    if re.match(r"(smlal2?|smull2?|umlal2?|umull2?|mla|mul)$", name):
        return {"8h": 8, "4s": 4}.get(operands.partition(",")[0].partition(".")[2], 0)
    return 0


def inner_loop(program, trace):
    """The instructions of the innermost loop that adds most of the products, as it runs most often."""
    visits = collections.defaultdict(list)
    backward = [k + 1 for k in range(len(trace) - 1) if trace[k + 1] <= trace[k]]
    for index in backward:
        visits[trace[index]].append(index)
    starts = set(backward)
    best, most = None, 0
    for indices in visits.values():
        bodies = collections.Counter()
        for first, last in itertools.pairwise(indices):
            if last - first < 2000 and not any(k in starts for k in range(first + 1, last)):
                bodies[tuple(trace[first:last])] += 1
        for body, count in bodies.most_common(1):
            total = count * sum(products(program.instructions[a]) for a in body)
            if total > most:
                best, most = body, total
    return [program.instructions[a] for a in best] if best else []


@dataclasses.dataclass(frozen=True)
class Piece:
    """A part of a kernel's call that is measured: the program's arguments, and how often the call has it."""

    kernel: str
    arguments: tuple
    times: float


def shortened(pixels):
    """A row to measure instead of a longer one, with the same remainder of whole tiles."""
    return pixels if pixels < MOST_PIXELS + 4 else MOST_PIXELS + pixels % 4


def rounding(n):
    """What decides how a call rounds: zero point and clamp at the ends of a byte or inside, and slopes."""
    return min(n.get("zero", 0), 1), min(n.get("lower", 0), 1), max(n.get("upper", 255), 254), n.get("hasSlopes", 0)


def grouped(bounds):
    """How often there are small bounds and large ones. Kernels choose their rounding by 16 bits and by the digits of a
    float; here the limits are powers of two below theirs."""
    return collections.Counter((SMALL if b["sum"] < 1 << 21 and b["value"] < 1 << 14 else LARGE) for b in bounds)


def pieces(call):
    """The parts of a call. Channels come in groups of sixteen; groups of equal bounds and rows take equally long."""
    kernel, n = call["kernel"], call["numbers"]
    if kernel in ("convolve", "convolveToFloat"):
        pixels = shortened(n["pixels"])
        share = n["pixels"] / pixels * n["lines"]
        residual = n.get("residualColumns", 0)
        parts = collections.Counter()
        for index, bounds in enumerate(call["bounds"]):
            columns = min(16, n["columns"] - 16 * index)
            parts.update((columns, int(16 * index < residual), *bound) for bound in grouped([bounds]))
        for (columns, has_residual, sum_, value), count in parts.items():
            yield Piece(
                kernel,
                (1, pixels, n["depth"], n["taps"], n["depth"], columns, has_residual, 16, sum_, value, *rounding(n)),
                count * share,
            )
    elif kernel == "depthwise":
        pixels = shortened(n["pixels"])
        for (sum_, value), groups in grouped(call["bounds"]).items():
            for lines, count in ((2, n["lines"] // 2), (1, n["lines"] % 2)):
                if count:
                    yield Piece(
                        kernel,
                        (n["size"], n["stride"], lines, pixels, 16, sum_, value, *rounding(n)),
                        count * groups * n["pixels"] / pixels,
                    )
    elif kernel == "maxPool":
        pixels = min(n["pixels"], 8)
        yield Piece(kernel, (n["height"], n["width"], pixels, n["channels"]), n["pixels"] / pixels)
    else:
        count = n["count"] if n["count"] <= MOST_ELEMENTS else MOST_ELEMENTS - 64 + n["count"] % 64
        yield Piece(kernel, (count,), n["count"] / count)


def macs(kernel, n):
    if kernel in ("convolve", "convolveToFloat"):
        return n["lines"] * n["pixels"] * n["taps"] * n["depth"] * n["columns"]
    if kernel == "depthwise":
        return n["lines"] * n["pixels"] * n["size"] ** 2 * n["channels"]
    return 0


class Estimator:
    def __init__(self, program):
        self.program = program
        self.known = {}

    def measure(self, jobs):
        """Measures tiers' pieces that are not known yet: cycles on each CPU."""
        missing = sorted(set(jobs) - self.known.keys())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for index, (job, found) in enumerate(zip(missing, pool.map(self.one, missing))):
                self.known[job] = found
                if index % 50 == 0:
                    print(f"{index} of {len(missing)}", file=sys.stderr)

    def one(self, job):
        tier, kernel, arguments = job
        trace = self.program.trace(list(TIERS).index(tier), KERNELS.index(kernel), *arguments)
        text = "\n".join(self.program.instructions[a] for a in trace)
        return {cpu: cycles(text, cpu) for cpu in TIERS[tier]}

    def call(self, tier, cpu, call):
        """Cycles of all calls with these numbers."""
        return call["count"] * sum(
            piece.times * self.known[tier, piece.kernel, piece.arguments][cpu]
            for piece in pieces(call)
        )


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


# Rows long enough that their ends do not matter. Small numbers, and the rounding of a ReLU6 or of no activation.
RELU, LINEAR = (0, 0, 255, 0), (131, 0, 255, 0)
SHAPES = {
    "1x1, depth 96, to a ReLU6": ("convolve", (1, 16, 96, 1, 96, 16, 0, 16, *SMALL, *RELU), 96),
    "1x1, depth 96, with a residual": ("convolve", (1, 16, 96, 1, 96, 16, 1, 16, *SMALL, *LINEAR), 96),
    "1x1, depth 16, to a ReLU6": ("convolve", (1, 16, 16, 1, 16, 16, 0, 16, *SMALL, *RELU), 16),
    "depthwise 3x3, to a ReLU6": ("depthwise", (3, 1, 2, 16, 16, *SMALL, *RELU), 9),
    "depthwise 3x3, stride 2, to a ReLU6": ("depthwise", (3, 2, 2, 16, 16, *SMALL, *RELU), 9),
    "depthwise 5x5, to a ReLU6": ("depthwise", (5, 1, 2, 16, 16, *SMALL, *RELU), 25),
    "depthwise 5x5, no activation": ("depthwise", (5, 1, 2, 16, 16, *SMALL, *LINEAR), 25),
    "depthwise 5x5, stride 2, to a ReLU6": ("depthwise", (5, 2, 2, 14, 16, *SMALL, *RELU), 25),
}


def loops(program):
    """Products a cycle of the inner loops, and multiply-adds a cycle of whole rows."""
    for name, (kernel, arguments, depth) in SHAPES.items():
        pixels = arguments[1] * arguments[0] if kernel == "convolve" else arguments[2] * arguments[3]
        for tier, cpus in TIERS.items():
            trace = program.trace(list(TIERS).index(tier), KERNELS.index(kernel), *arguments)
            whole = "\n".join(program.instructions[a] for a in trace)
            body = inner_loop(program, trace)
            count = sum(map(products, body))
            cells = []
            for cpu in CPUS:
                if cpu not in cpus:
                    cells.append("")
                    continue
                inner = f"{count / cycles(chr(10).join(body), cpu, 200):.1f}" if count else "-"
                cells.append(f"{inner}, {pixels * 16 * depth / cycles(whole, cpu):.1f}")
            yield [name, tier, *cells]


def milliseconds(value):
    return f"{value / GIGAHERTZ / 1e6:.2f} ms"


def main():
    program = Program.read(*sys.argv[1:3])
    networks = {}
    for argument in sys.argv[3:]:
        name, _, path = argument.partition("=")
        networks[name] = json.loads(pathlib.Path(path).read_text())["calls"]
    estimator = Estimator(program)
    estimator.measure(
        (tier, piece.kernel, piece.arguments)
        for tier in TIERS
        for calls in networks.values()
        for call in calls
        for piece in pieces(call)
    )

    @functools.cache
    def total(name, tier, cpu):
        return sum(estimator.call(tier, cpu, call) for call in networks[name])

    lines = [f"## Networks, one run at {GIGAHERTZ} GHz", ""]
    rows = []
    for name, calls in networks.items():
        count = sum(call["count"] * macs(call["kernel"], call["numbers"]) for call in calls)
        for tier, cpus in TIERS.items():
            cells = [
                f"{milliseconds(total(name, tier, cpu))}, {count / total(name, tier, cpu):.1f}" if cpu in cpus else ""
                for cpu in CPUS
            ]
            rows.append([name, f"{count / 1e6:.0f} M", tier, *cells])
    lines += table(["network", "multiply-adds", "tier", *(f"{cpu}: time, multiply-adds a cycle" for cpu in CPUS)], rows)
    lines += ["", "## Where the time goes, best tier of each CPU", ""]
    best = {cpu: "i8mm" if cpu in TIERS["i8mm"] else "dotprod" for cpu in CPUS}
    rows = []
    for name, calls in networks.items():
        kinds = collections.defaultdict(list)
        for call in calls:
            n = call["numbers"]
            kind = {"convolve": "1x1" if n.get("taps") == 1 else "other convolutions",
                    "depthwise": f"depthwise {n.get('size')}x{n.get('size')}",
                    "convolveToFloat": "convolutions to floats"}.get(call["kernel"], "maps")
            kinds[kind].append(call)
        for kind, group in sorted(kinds.items()):
            count = sum(call["count"] * macs(call["kernel"], call["numbers"]) for call in group)
            cells = []
            for cpu in CPUS:
                sum_ = sum(estimator.call(best[cpu], cpu, call) for call in group)
                rate = f", {count / sum_:.1f} a cycle" if count else ""
                cells.append(f"{100 * sum_ / total(name, best[cpu], cpu):.0f} %{rate}")
            rows.append([name, kind, f"{count / 1e6:.1f} M", *cells])
    lines += table(["network", "kernels", "multiply-adds", *(f"{cpu}, {best[cpu]}" for cpu in CPUS)], rows)
    lines += [
        "",
        "## Loops",
        "",
        "Products a cycle of the inner loop, with those of weights that fill a vector up; then multiply-adds a cycle of",
        "whole rows, with rounding and stores. \"-\" where the compiler wrote out the loop.",
        "",
    ]
    lines += table(["shape", "tier", *CPUS], loops(program))
    print("\n".join(lines))


main()
