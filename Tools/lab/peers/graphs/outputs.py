"""Runs a TFLite file on the rows of an array and writes what comes out: `run outputs FILE.tflite INPUT.npy OUTPUT.npz`."""

import argparse

import numpy as np
from ai_edge_litert.interpreter import Interpreter


class Graph:
    """A TFLite file, run by LiteRT with XNNPACK, as it runs by default; its inputs but the first are zeros."""

    def __init__(self, path, threads=1):
        self.interpreter = Interpreter(model_path=str(path), num_threads=threads)
        self.interpreter.allocate_tensors()
        self.source, *others = self.interpreter.get_input_details()
        for other in others:
            self.interpreter.set_tensor(other["index"], np.zeros(other["shape"], np.float32))
        self.results = self.interpreter.get_output_details()

    @property
    def shape(self):
        """Of a row: without the batch."""
        return tuple(int(extent) for extent in self.source["shape"][1:])

    def run(self, rows):
        """Every output by its name, [N, ...] as the float32 rows [N, ...]."""
        outputs = {result["name"]: [] for result in self.results}
        for row in rows:
            self.interpreter.set_tensor(self.source["index"], np.ascontiguousarray(row[None], dtype=np.float32))
            self.interpreter.invoke()
            for result in self.results:
                outputs[result["name"]].append(self.interpreter.get_tensor(result["index"])[0].copy())
        return {name: np.stack(values) for name, values in outputs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph")
    parser.add_argument("input")
    parser.add_argument("output")
    options = parser.parse_args()
    np.savez(options.output, **Graph(options.graph).run(np.load(options.input)))


if __name__ == "__main__":
    main()
