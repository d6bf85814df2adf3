"""The largest activation of each layer over the calibration frames, from the float graph."""

import numpy as np
import onnxruntime

from . import network, onnx_graphs

# The first steps of a window's temporal layers see padding, which streaming never does.
PADDED_STEPS = {"t1.conv": 2, "t2.conv": 6, "t3.conv": 14}


def peaks(weights, frames, folder):
    """Layer name -> largest activation. Frames [N, 224, 224] are taken as windows of 16 consecutive ones."""
    path = folder / "layers.onnx"
    names = onnx_graphs.export_layers(path, weights)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    highest = dict.fromkeys(names, 0.0)
    for start in range(0, len(frames) - network.WINDOW + 1, network.WINDOW):
        window = frames[start:start + network.WINDOW, None]
        for name, value in zip(names, session.run(names, {"frames": np.ascontiguousarray(window)})):
            highest[name] = max(highest[name], float(value[..., PADDED_STEPS.get(name, 0):].max()))
    return highest
