"""Checks that the targets of the documents' links exist: files, headings, pages of the catalogue."""

import re
import subprocess
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)|<img [^>]*src=\"([^\"]+)\"")
CODE = re.compile(r"^( *)(```|~~~).*?^ *\2\s*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def documents(root):
    """All Markdown files that are tracked or not ignored."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-coz", "--exclude-standard", "--", "*.md"],
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    return sorted(root / name for name in listed.split("\0") if name and (root / name).exists())


def headings(text):
    """The anchors of a document, as GitHub makes them."""
    found, counts = set(), {}
    for line in re.findall(r"^#{1,6} +(.+?) *#*$", CODE.sub(lambda m: "" if m.group(2) else m.group(0), text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).lower()).replace(" ", "-")
        count = counts[slug] = counts.get(slug, -1) + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def faults(root):
    """Sentences about broken links."""
    found = []
    for document in documents(root):
        text = document.read_text()
        plain = CODE.sub("", text)
        for match in LINK.finditer(plain):
            target = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            to = (document.parent / path).resolve() if path else document
            if not to.exists() and document.parent.suffix == ".docc" and to.with_suffix(".md").exists():
                to = to.with_suffix(".md")
            if not to.exists():
                found.append(f"{document.relative_to(root)}: {target} is not there")
            elif anchor and to.suffix == ".md" and anchor not in headings(to.read_text()):
                found.append(f"{document.relative_to(root)}: {to.name} has no heading #{anchor}")
    return found
