"""One file an engine. Each has the same face:

`NAME`, `FORMS` (what its float32 and int8 graphs are), `version()`,
`export(folder, weights, quantised, frames)` which writes `folder/fp32` and `folder/int8`,
`Engine(threads)` whose `load(folder, graph)` gives an object with

- `write(array)`   copies one input in: uint8 codes for frames, what `read` of an encoder gave for columns
- `run`            a callable without arguments: the only thing inside a timed loop
- `read()`         the output as an array of its own

Columns travel as [features, steps] in the type that the engine's encoder puts out.
"""

from importlib import import_module

ALL = ("openvino", "litert", "onnxruntime", "ncnn", "mnn")


def module(name):
    """The engine's file; raises ImportError where the engine is not installed."""
    return import_module(f"{__name__}.{name}_engine")
