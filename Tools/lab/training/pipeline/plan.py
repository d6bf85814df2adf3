"""Reads a recipe, a TOML file, into its stages in the order in which they run.

    about = "one sentence"

    [parameters]                        # what --set changes; lists, numbers, texts, true and false
    seeds = [1, 2]
    steps = 6000

    [[stage]]
    name = "clips"
    each = { seed = "seeds" }           # a stage for each value of a parameter: clips-1, clips-2
    module = "handtrain.clips"          # run by Python; or tool = "gesture-import", of --bin
    inputs = { bank = "bank/bank" }     # outputs of other stages: STAGE/OUTPUT, or STAGE for all of them
    outputs = { clips = "clips.npz" }   # files or folders, relative to the stage's folder in the work folder
    arguments = ["{bank}", "{clips}", "--seed", "{seed}", ["--start", "{start}"]]

Inputs from outside are `assets:PATH` (below --assets), `repository:PATH` (below the checkout) or `file:PATH`. A path may have wildcards; with
a slash at its end it matches folders only. An input may be a list and may name a file more than once.

`{name}` in an argument stands for an input, an output, a parameter, `{bin}` or `{assets}`. If its value is a list, the argument is repeated for each
element. If it is true, an argument of this name alone is left out. An argument that is itself a list is left out if a name in it is empty or false;
any other argument needs inputs that are not empty.

A stage may also have:
- `parameters`: its own parameters (--set STAGE.KEY=VALUE);
- `stdout`: the output that receives what the command prints;
- `python`: the interpreter of another environment;
- `needs`: parameters; the stage is left out if one of them is empty;
- `resumes = true`: the command can continue from what an interrupted run left in its folder;
- `sha256`: hashes that inputs and outputs must have.
"""

import pathlib
import re
import tomllib
from typing import NamedTuple

RECIPE = {"about": str, "parameters": dict, "stage": list}
STAGE = {"name": str, "each": dict, "module": str, "tool": str, "inputs": dict, "outputs": dict, "arguments": list, "parameters": dict, "stdout": str,
         "python": str, "needs": list, "resumes": bool, "sha256": dict}
ROOTS = ("assets", "repository", "file")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Refused(SystemExit):
    """What is wrong, in a sentence."""


class Stage(NamedTuple):
    name: str
    command: str  # a module of Python or a tool
    is_module: bool
    inputs: dict  # name: [references]
    outputs: dict  # name: path below the stage's folder
    arguments: list
    parameters: dict  # all that the stage can see
    stdout: str | None
    python: str
    resumes: bool
    sha256: dict
    left_out: bool
    asked: dict  # the inputs and the interpreter as the recipe writes them

    def without(self, name):
        """Refuses to go on without an input or the interpreter."""
        empty = [n for text in self.asked[name] for n in PLACEHOLDER.findall(text)]
        raise Refused(f"stage {self.name} lacks its input {name}: " + (f"give --set {empty[0]}=PATH" if empty else "the stage that makes it is left out"))

    def used(self):
        """{name: value} of the parameters that the arguments name."""
        names = {n for a in self.arguments for part in (a if isinstance(a, list) else [a]) for n in PLACEHOLDER.findall(part)}
        return {n: self.parameters[n] for n in sorted(names) if n in self.parameters}


class Plan(NamedTuple):
    name: str
    about: str
    stages: dict  # name: Stage, in order
    before: dict  # name: names of the stages whose outputs it takes

    def until(self, name):
        """Names of a stage and of all that it needs, in order; of all stages for None."""
        if name is None:
            return list(self.stages)
        if name not in self.stages:
            raise Refused(f"there is no stage {name}; the stages are {', '.join(self.stages)}")
        wanted, todo = set(), [name]
        while todo:
            at = todo.pop()
            if at not in wanted:
                wanted.add(at)
                todo += self.before[at]
        return [n for n in self.stages if n in wanted]


def checked(table, keys, where):
    for key, value in table.items():
        if key not in keys:
            raise Refused(f"{where} has the unknown key {key}; it may have {', '.join(keys)}")
        if not isinstance(value, keys[key]):
            raise Refused(f"{where}: {key} must be of type {keys[key].__name__}, not {type(value).__name__}")


def setting(text):
    """KEY=VALUE -> (key, value): a TOML value, or a text where it is none."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Refused(f"--set needs KEY=VALUE, not {text}")
    try:
        return key, tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        return key, value


def set_value(parameters, key, value, shown):
    if key not in parameters:
        raise Refused(f"--set {shown}: the recipe has no such parameter; there are {', '.join(sorted(parameters)) or 'none'}")
    old = parameters[key]
    if isinstance(old, float) and type(value) is int:
        value = float(value)
    if isinstance(old, str) and not isinstance(value, str) and not isinstance(value, list):
        value = str(value)
    if type(old) is not type(value):
        raise Refused(f"--set {shown}: {key} must be of type {type(old).__name__}, not {type(value).__name__} like {value}")
    parameters[key] = value


def filled(text, values, where):
    """A text with its `{names}` replaced -> [texts]: one for each element of a list that is named, one where there is none."""
    names = PLACEHOLDER.findall(text)
    missing = [n for n in names if n not in values]
    if missing:
        raise Refused(f"{where} names {{{missing[0]}}}, which is not a parameter, input or output")
    lists = sorted({n for n in names if isinstance(values[n], list)})
    if len(lists) > 1:
        raise Refused(f"{where}: {text} names two lists; one is allowed")
    rows = [values | {lists[0]: element} for element in values[lists[0]]] if lists else [values]
    return [PLACEHOLDER.sub(lambda m: written(row[m[1]]), text) for row in rows]


def written(value):
    return "" if value is True or value is False else str(value)


def arguments(stage, values):
    """The stage's arguments with all names replaced -> [text]."""
    out, where = [], f"stage {stage.name}"
    for argument in stage.arguments:
        group = argument if isinstance(argument, list) else [argument]
        named = [n for part in group for n in PLACEHOLDER.findall(part)]
        if isinstance(argument, list) and any(n in values and (values[n] is False or values[n] in ("", [])) for n in named):
            continue
        for name in named:
            if name in stage.inputs and values[name] == []:
                stage.without(name)
        for part in group:
            whole = PLACEHOLDER.fullmatch(part)
            if whole and values.get(whole[1]) is True:
                continue
            out += filled(part, values, where)
    return out


def read(path, settings=()):
    """A recipe file, with --set's (key, value) pairs -> Plan."""
    path = pathlib.Path(path)
    try:
        recipe = tomllib.loads(path.read_text())
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is not valid TOML: {error}") from None
    checked(recipe, RECIPE, str(path))
    common = dict(recipe.get("parameters", {}))
    tables = recipe.get("stage", [])
    for table in tables:
        if not isinstance(table, dict) or not isinstance(table.get("name"), str) or not NAME.fullmatch(table["name"]):
            raise Refused(f"{path}: every [[stage]] needs a name of letters, digits, dots, hyphens and underscores")
        checked(table, STAGE, f"stage {table['name']}")
    names = [t["name"] for t in tables]
    if not names:
        raise Refused(f"{path} has no stages")
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise Refused(f"{path} has the stage {twice[0]} twice")
    own = {t["name"]: dict(t.get("parameters", {})) for t in tables}
    for key, value in settings:
        stage, dot, inner = key.partition(".")
        if dot and stage in own:
            set_value(own[stage], inner, value, key)
        else:
            set_value(common, key, value, key)
    families, stages = {}, {}
    for table in tables:
        made = expanded(table, common | own[table["name"]])
        families[table["name"]] = [s.name for s in made]
        for stage in made:
            if stage.name in stages:
                raise Refused(f"{path} has the stage {stage.name} twice")
            stages[stage.name] = stage
    stages = {n: s._replace(inputs=resolved(s, stages, families)) for n, s in stages.items()}
    before = {n: sorted({r.partition("/")[0] for refs in s.inputs.values() for r in refs if root_of(r) is None}) for n, s in stages.items()}
    return Plan(path.stem, recipe.get("about", ""), {n: stages[n] for n in ordered(stages, before)}, before)


def expanded(table, parameters):
    """A [[stage]] -> its Stages: one, or one for each value of `each`."""
    name, each = table["name"], table.get("each", {})
    if len(each) > 1 or any(not isinstance(parameters.get(v), list) for v in each.values()):
        raise Refused(f"stage {name}: each must be {{ NAME = \"PARAMETER\" }} with a parameter that is a list")
    if ("module" in table) == ("tool" in table):
        raise Refused(f"stage {name} needs either a module or a tool")
    if not table.get("outputs"):
        raise Refused(f"stage {name} needs outputs")
    for key, output in table["outputs"].items():
        path = pathlib.PurePosixPath(str(output))
        if not isinstance(output, str) or path.is_absolute() or ".." in path.parts or not path.parts:
            raise Refused(f"stage {name}: the output {key} must be a path within the stage's folder, not {output}")
    if table.get("stdout", next(iter(table["outputs"]))) not in table["outputs"]:
        raise Refused(f"stage {name}: stdout names {table['stdout']}, which is not an output")
    for argument in table.get("arguments", []):
        if not all(isinstance(a, str) for a in (argument if isinstance(argument, list) else [argument])):
            raise Refused(f"stage {name}: arguments must be strings, or lists of strings")
    unknown = [n for n in table.get("needs", []) if n not in parameters]
    if unknown:
        raise Refused(f"stage {name} needs {unknown[0]}, which is not a parameter")
    out = []
    for key, values in ([(k, parameters[v]) for k, v in each.items()] or [(None, [None])]):
        for value in values:
            known = parameters | ({key: value} if key else {})
            both = set(known) & (set(table.get("inputs", {})) | set(table["outputs"]) | {"bin", "assets"})
            both |= set(table.get("inputs", {})) & set(table["outputs"])
            if both:
                raise Refused(f"stage {name}: the name {sorted(both)[0]} is used twice among its parameters, inputs and outputs")
            inputs = {k: [x for r in (refs if isinstance(refs, list) else [refs]) if kept(r, known) for x in filled(r, known, f"stage {name}")]
                      for k, refs in table.get("inputs", {}).items()}
            out.append(Stage(
                f"{name}-{written(value)}" if key else name, table.get("module") or table["tool"], "module" in table,
                inputs, dict(table["outputs"]),
                table.get("arguments", []), known, table.get("stdout"), "".join(filled(table.get("python", ""), known, f"stage {name}")), table.get("resumes", False),
                table.get("sha256", {}), any(parameters[n] in ("", [], False) for n in table.get("needs", [])),
                {k: refs if isinstance(refs, list) else [refs] for k, refs in table.get("inputs", {}).items()} | {"python": [table.get("python", "")]}))
    for stage in out:
        names = {n for a in stage.arguments for part in (a if isinstance(a, list) else [a]) for n in PLACEHOLDER.findall(part)}
        missing = sorted(names - set(stage.parameters) - set(stage.inputs) - set(stage.outputs) - {"bin", "assets"})
        if missing:
            raise Refused(f"stage {name} names {{{missing[0]}}}, which is not a parameter, input or output")
    return out


def kept(reference, values):
    """Whether an input is asked for: `file:{start}` is not while the parameter is empty."""
    if not isinstance(reference, str):
        raise Refused(f"the input {reference} must be a string")
    return all(values.get(n, True) not in ("", []) for n in PLACEHOLDER.findall(reference))


def root_of(reference):
    root = reference.partition(":")[0]
    return root if ":" in reference and root in ROOTS else None


def resolved(stage, stages, families):
    """Inputs with references to other stages as STAGE/OUTPUT, those to families one by one, those to what is left out dropped."""
    out = {}
    for name, references in stage.inputs.items():
        out[name] = []
        for reference in references:
            if root_of(reference):
                out[name].append(reference)
                continue
            of, slash, output = reference.partition("/")
            members = [of] if of in stages else families.get(of)
            if members is None:
                raise Refused(f"stage {stage.name} takes {reference}: there is no stage {of}, and a file begins with assets:, repository: or file:")
            for member in members:
                if slash and output not in stages[member].outputs:
                    raise Refused(f"stage {stage.name} takes {reference}: {of} has the outputs {', '.join(stages[member].outputs)}")
                if not stages[member].left_out:
                    out[name] += [f"{member}/{o}" for o in ([output] if slash else stages[member].outputs)]
    return out


def ordered(stages, before):
    """Names in an order in which every stage comes after what it takes, else as the recipe has them."""
    out, state = [], {}

    def visit(name, way):
        if state.get(name) == "done":
            return
        if name in way:
            raise Refused("stages take each other's outputs in a circle: " + " -> ".join([*way[way.index(name):], name]))
        for other in before[name]:
            visit(other, [*way, name])
        state[name] = "done"
        out.append(name)

    for name in stages:
        visit(name, [])
    return out
