"""modules.py [--architecture CPU] [--without FOLDER,...] [TARGET...] <DUMP: the Swift modules that targets need, each after those that it imports.

DUMP is what `swift package dump-package` prints. Without targets, they are those of all library products that need no other package. A line
each, with tabs between: the module's name, its folder, the folders that it leaves out (with colons between, or -), and the compiler's flags of
a release build.

`--without` leaves out folders of these names, and modules that nothing but their files imports. `--architecture` leaves out kernels whose
flags are for other CPUs.
"""
import argparse
import json
import pathlib
import re
import shlex
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--architecture")
parser.add_argument("--without", default="", type=lambda names: names.split(","))
parser.add_argument("targets", nargs="*")
arguments = parser.parse_args()
package = json.load(sys.stdin)
targets = {target["name"]: target for target in package["targets"] if target["type"] == "regular"}
imports = re.compile(r"^\s*(?:@\S+ )*(?:\w+ )?import (\w+)", re.MULTILINE)


def folder(target):
    return target.get("path") or "Sources/" + target["name"]


def imported(target):
    names = set()
    for file in pathlib.Path(folder(target)).rglob("*.swift"):
        if not set(file.parts) & set(arguments.without):
            names.update(imports.findall(file.read_text()))
    return names


def dependencies(target):
    names = [next(iter(d.values()))[0] for d in target["dependencies"] if "byName" in d or "target" in d]
    return [n for n in names if n in targets and (arguments.without == [""] or n in imported(target))]


def flags(target):
    flags = []
    for setting in target["settings"]:
        if setting["tool"] != "swift" or (setting.get("condition") or {}).get("config") == "debug":
            continue
        (kind, value), = setting["kind"].items()
        if kind == "unsafeFlags":
            flags += value["_0"]
        elif kind == "enableUpcomingFeature":
            flags += ["-enable-upcoming-feature", value["_0"]]
        elif kind == "enableExperimentalFeature":
            flags += ["-enable-experimental-feature", value["_0"]]
        elif kind == "treatAllWarnings":
            flags += ["-warnings-as-errors"]
        elif kind == "strictMemorySafety":
            flags += ["-strict-memory-safety"]
    return flags


def fits(target):
    architectures = {flag for flag in flags(target) if flag.startswith("-Xarch_")}
    return not arguments.architecture or not architectures or "-Xarch_" + arguments.architecture in architectures


def visit(name, done):
    if name not in done and fits(targets[name]):
        for other in dependencies(targets[name]):
            visit(other, done)
        done[name] = targets[name]


wanted, done = arguments.targets, {}
if not wanted:
    libraries = [name for product in package["products"] if "library" in product["type"] for name in product["targets"]]
    wanted = [name for name in libraries if not any("product" in d for d in targets[name]["dependencies"])]
for name in wanted:
    visit(name, done)
for name, target in done.items():
    print(name, folder(target), ":".join(target["exclude"]) or "-", shlex.join(flags(target)), sep="\t")
