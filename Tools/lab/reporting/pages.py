"""Which page is made from which results, and whether they still agree."""

import json
import os
import re

from . import imports, pointer_page, readme, recognition_page, speed_page
from .machine import ROOT, Failure

RESULTS = ROOT / "Tools/lab/reporting/results"
CATALOG = ROOT / "Sources/GestureEngine/GestureEngine.docc"
README = ROOT / "README.md"
# Longer READMEs are not read to the end.
README_BYTES = 9 * 1024


def json_text(value, depth=0):
    """JSON, with what fits into a line on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + depth <= 140 or not isinstance(value, (dict, list)):
        return line
    inner, outer = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, list):
        return "[" + inner + ("," + inner).join(json_text(each, depth + 1) for each in value) + outer + "]"
    members = (f"{json.dumps(key, ensure_ascii=False)}: {json_text(each, depth + 1)}" for key, each in value.items())
    return "{" + inner + ("," + inner).join(members) + outer + "}"


def keep(path, result):
    """Writes a result atomically."""
    new = path.with_suffix(".new")
    new.write_text(json_text(result) + "\n")
    os.replace(new, path)


def results():
    """name -> result, for all stored results."""
    found = {}
    for path in sorted(RESULTS.glob("*.json")):
        try:
            found[path.stem] = json.loads(path.read_text())
        except ValueError as error:
            raise Failure(f"{path.relative_to(ROOT)}: {error}") from None
    return found


def rendered():
    """path -> text, from the stored results."""
    kept = results()
    speeds = {name.removeprefix("speed-"): result for name, result in kept.items() if name.startswith("speed-")}
    texts = {CATALOG / "Speed.md": speed_page.render(speeds, kept.get("streams")), CATALOG / "Recognition.md": recognition_page.render(kept)}
    texts[CATALOG / "imports.svg"] = imports.rendered()
    for path, blocks in ((README, readme.blocks(speeds, kept)), (CATALOG / "Pointer.md", pointer_page.blocks(kept.get("pointer")))):
        texts[path] = filled(path, blocks)
    return texts


def filled(path, blocks):
    """The text of a page with a new content between `<!-- report: name -->` and `<!-- report end -->`."""
    text = path.read_text()
    for name, lines in blocks.items():
        begin, end = f"<!-- report: {name} -->\n", "<!-- report end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        if len(pattern.findall(text)) != 1:
            raise Failure(f"{path.name} should have one part that begins with {begin.strip()}")
        text = pattern.sub(lambda _: begin + "\n".join(lines) + "\n" + end, text)
    return text


def write():
    for path, text in rendered().items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")


def faults():
    """Sentences about pages that differ from their results."""
    found = [f"{path.relative_to(ROOT)} is not what {'Package.swift' if path.suffix == '.svg' else f'the results in {RESULTS.relative_to(ROOT)}'} says: "
             "Tools/report render"
             for path, text in rendered().items() if not path.exists() or path.read_text() != text]
    size = README.stat().st_size
    if size > README_BYTES:
        found.append(f"README.md has {size} bytes, more than {README_BYTES}")
    return found
