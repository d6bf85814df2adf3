"""Logits of an exported model by ONNX Runtime, for `gesture-import verify MODEL --reference OUT.npz`.

    gesture-import export MODEL --output model.onnx
    Tools/lab/python-environment Tools/lab/peers
    Tools/lab/peers/.venv/bin/python Tools/lab/checkpoints/reference.py model.onnx reference.npz [--inputs INPUTS.npy]

INPUTS is uint8, [T, 224, 224] luma or [T, 128] columns; without it, 64 random inputs are taken, always the same.
"""

import argparse

import numpy
import onnxruntime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("output")
    parser.add_argument("--inputs")
    arguments = parser.parse_args()
    session = onnxruntime.InferenceSession(arguments.model, providers=["CPUExecutionProvider"])
    (source,) = session.get_inputs()
    shape = (224, 224) if source.name == "images" else (128,)
    if arguments.inputs:
        inputs = numpy.load(arguments.inputs)
    else:
        inputs = numpy.random.default_rng(1).integers(0, 256, (64, *shape), dtype=numpy.uint8)
    if inputs.dtype != numpy.uint8 or inputs.shape[1:] != shape:
        parser.error(f"inputs must be uint8 [T, {', '.join(map(str, shape))}]")
    # The engine's scales: luma 1 / 255, columns 6 / 255.
    values = inputs.astype(numpy.float32) * numpy.float32(1 / 255 if source.name == "images" else 6 / 255)
    (logits,) = session.run(["logits"], {source.name: values.reshape(len(values), *source.shape[1:])})
    numpy.savez(arguments.output, input=inputs, logits=logits)


if __name__ == "__main__":
    main()
