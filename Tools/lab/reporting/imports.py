"""Draws which module imports which, from Package.swift, for the document about the modules."""

import html
import re

from .machine import ROOT, Failure

# Every module may import these, so their edges would hide the others.
EVERYWHERE = ("Platform", "Vocabulary")
TARGET = re.compile(r"\.(target|executableTarget|systemLibrary|testTarget)\(\s*name: \"([\w-]+)\"(.*?)(?=\n        \.\w+\(\s*name:|\n    \]\))",
                    re.DOTALL)
# Variables of Package.swift that stand for a target.
VARIABLES = {"blas": "CBLAS"}
# Neither rooms of the library nor of its commands.
LEFT_OUT = ("Tests/", "Tools/examples/", "Tools/gates/fuzzing/")
WIDTH, HEIGHT, GAP, ROW = 138, 28, 14, 76
STYLE = """<style>
text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1c2024 }
rect { fill: #eef2f6; stroke: #8a94a0 }
.product rect { fill: #d7e8fb; stroke: #3b76b3 }
.tool rect { fill: #f6efdf; stroke: #a08c5a }
path { fill: none; stroke: #8a94a0; stroke-opacity: 0.7 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ec }
  rect { fill: #262c33; stroke: #69747f }
  .product rect { fill: #1d3a57; stroke: #5b95d1 }
  .tool rect { fill: #3b3423; stroke: #a08c5a }
}
</style>"""


def modules(text):
    """name -> (kind of module, names of what it imports), without tests and examples."""
    products = set(re.findall(r"\.library\(name: \"(\w+)\"", text))
    found = {}
    for kind, name, rest in TARGET.findall(text):
        path = re.search(r"\bpath: \"([^\"]+)\"", rest)
        if kind == "testTarget" or path and path.group(1).startswith(LEFT_OUT):
            continue
        listed = re.search(r"\bdependencies: \[(.*?)\]", rest, re.DOTALL)
        imported = re.findall(r"\"(\w+)\"|\b(blas)\b", listed.group(1) if listed else "")
        group = "product" if name in products else "tool" if path and path.group(1).startswith("Tools/") else "stage"
        found[name] = (group, {quoted or VARIABLES[variable] for quoted, variable in imported})
    return {name: (group, {other for other in imported if other in found and other not in EVERYWHERE})
            for name, (group, imported) in found.items() if name not in EVERYWHERE}


def reduced(graph):
    """Without the edges that a longer way replaces."""
    def reach(name):
        return {name}.union(*(reach(other) for other in graph[name]))

    return {name: {other for other in imported if not any(other in reach(third) for third in imported - {other})}
            for name, imported in graph.items()}


def layers(graph):
    """Rows of names from the top: a module stands above all that it imports, and beside what it is near."""
    depth = {}

    def place(name):
        if name not in depth:
            depth[name] = 1 + max((place(other) for other in graph[name]), default=-1)
        return depth[name]

    for name in graph:
        place(name)
    rows = [sorted(name for name in graph if depth[name] == level) for level in range(max(depth.values()) + 1)]
    # Each row by the mean position of what it is joined to, a few times down and up.
    for _ in range(12):
        for order in (rows, rows[::-1]):
            position = {name: (index + 0.5) / len(row) for row in rows for index, name in enumerate(row)}
            for row in order:
                def mean(name):
                    near = [position[other] for other in graph if other in graph[name] or name in graph[other]]
                    return sum(near) / len(near) if near else position[name]

                row.sort(key=lambda name: (mean(name), name))
                position.update({name: (index + 0.5) / len(row) for index, name in enumerate(row)})
    return rows[::-1]


def drawing(text):
    """An SVG of the modules of a Package.swift."""
    found = modules(text)
    if len(found) < 10:
        raise Failure("Package.swift has another form than Tools/lab/reporting/imports.py reads")
    graph = reduced({name: imported for name, (_, imported) in found.items()})
    rows = layers(graph)
    widest = max(len(row) for row in rows) * (WIDTH + GAP) + GAP
    place = {name: (widest / 2 + (index - (len(row) - 1) / 2) * widest / len(row), HEIGHT + level * ROW)
             for level, row in enumerate(rows) for index, name in enumerate(row)}
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest} {len(rows) * ROW - ROW + 2 * HEIGHT}" role="img">',
             "<title>Which module imports which</title>", STYLE]
    for name in sorted(graph):
        for other in sorted(graph[name]):
            (x, y), (to_x, to_y) = place[name], place[other]
            (y, to_y), bend = (y + HEIGHT / 2, to_y - HEIGHT / 2), 24
            lines.append(f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"/>')
    for name in sorted(graph):
        x, y = place[name]
        lines.append(f'<g class="{found[name][0]}"><rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}" height="{HEIGHT}" '
                     f'rx="6"/><text x="{x:.0f}" y="{y + 4.5:.1f}">{html.escape(name)}</text></g>')
    return "\n".join(lines + ["</svg>", ""])


def rendered():
    return drawing((ROOT / "Package.swift").read_text())
