"""Cuts operators out of a TFLite file, for a fixture: `run cut FILE.tflite FIRST LAST OUTPUT.tflite --map HEIGHT WIDTH`.

The operators FIRST to LAST of the file become a graph whose inputs are what they read and do not make, and whose outputs are
what nothing among them reads, but for what nothing reads at all. Constants stay as they are, sparse ones too. All maps get the given height and width, so the
operators must not change it. Beside `NAME.tflite` go `NAME.input.npy`, seeded noise, and `NAME.output.npy`, what LiteRT makes
of it.
"""

import argparse

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from outputs import Graph


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("output")
    parser.add_argument("--map", type=int, nargs=2, required=True)
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        model = schema.ModelT.InitFromPackedBuf(file.read(), 0)
    graph = model.subgraphs[0]
    operators = graph.operators[options.first:options.last + 1]
    made = {tensor for operator in operators for tensor in operator.outputs}
    read = {tensor for operator in operators for tensor in operator.inputs if tensor >= 0}

    def constant(tensor):
        data = model.buffers[graph.tensors[tensor].buffer].data
        return data is not None and len(data) > 0

    folding = {schema.BuiltinOperator.DEQUANTIZE, schema.BuiltinOperator.DENSIFY}
    folded = {tensor for operator in operators for tensor in operator.outputs
              if model.operatorCodes[operator.opcodeIndex].builtinCode in folding}
    anywhere = set(graph.outputs) | {tensor for operator in graph.operators for tensor in operator.inputs}
    graph.inputs = sorted(tensor for tensor in read - made if not constant(tensor))
    graph.outputs = sorted((made - read) & anywhere)
    graph.operators = operators
    used = sorted(read | made)
    places = {tensor: place for place, tensor in enumerate(used)}
    buffers = [schema.BufferT()]
    for tensor in used:
        found = graph.tensors[tensor]
        if constant(tensor):
            buffers.append(model.buffers[found.buffer])
            found.buffer = len(buffers) - 1
        else:
            found.buffer = 0
            if len(found.shape) == 4 and tensor not in folded:
                found.shape = [1, *options.map, int(found.shape[3])]
    graph.tensors = [graph.tensors[tensor] for tensor in used]
    graph.inputs = [places[tensor] for tensor in graph.inputs]
    graph.outputs = [places[tensor] for tensor in graph.outputs]
    for operator in operators:
        operator.inputs = [places.get(tensor, -1) for tensor in operator.inputs]
        operator.outputs = [places[tensor] for tensor in operator.outputs]
    model.buffers = buffers
    model.metadata, model.metadataBuffer, model.signatureDefs = [], [], []
    builder = flatbuffers.Builder(1 << 16)
    builder.Finish(model.Pack(builder), b"TFL3")
    with open(options.output, "wb") as file:
        file.write(builder.Output())

    graph = Graph(options.output)
    rows = (np.random.default_rng(1).random((2, *graph.shape)) * 4 - 2).astype(np.float32)
    (result,) = graph.run(rows).values()
    np.save(options.output.removesuffix(".tflite") + ".input.npy", rows)
    np.save(options.output.removesuffix(".tflite") + ".output.npy", result)


if __name__ == "__main__":
    main()
