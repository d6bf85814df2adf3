"""The largest activation of each layer over the calibration frames, from the float graph."""

import numpy as np
import onnxruntime

from . import network, onnx_graphs


def peaks(weights, frames, folder):
    """Layer name -> largest activation. Frames [N, 224, 224] are taken as windows of 16 consecutive ones."""
    path = folder / "layers.onnx"
    names = onnx_graphs.export_layers(path, weights)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    highest = dict.fromkeys(names, 0.0)
    for start in range(0, len(frames) - network.WINDOW + 1, network.WINDOW):
        window = frames[start:start + network.WINDOW, None]
        for name, value in zip(names, session.run(names, {"frames": np.ascontiguousarray(window)})):
            # The first 14 steps of a temporal layer see padding, which streaming never does.
            if name in {layer.name for layer in network.TEMPORAL}:
                value = value[..., network.TRIMMED_COLUMNS - 1:] if name == "t3.conv" else value[..., 2:]
            highest[name] = max(highest[name], float(value.max()))
    return highest
