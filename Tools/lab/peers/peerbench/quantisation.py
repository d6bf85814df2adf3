"""Static int8 numbers from calibration frames: one scale an activation tensor, one an output channel of weights."""

from dataclasses import dataclass

import numpy as np

from . import network


@dataclass
class Quantised:
    """Integer weights of one layer and the scales around it; activations are uint8 with zero point 0."""

    weight: np.ndarray  # int8, as the float weight's shape
    weight_scale: np.ndarray  # float32 [outputs]
    bias: np.ndarray  # int32 [outputs], in units of input scale * weight scale
    input_scale: float
    output_scale: float  # 0 for the classifier, whose output stays float


def quantise(weights, peaks, weight_peak=127):
    """Layer name -> Quantised, from the largest activation of each layer.

    `weight_peak` is 127, or 63 for engines that add pairs of products in 16 bits with saturation.
    """
    layers = {}
    input_scale = network.INPUT_SCALE
    names = [layer.name for layer in network.ENCODER + network.TEMPORAL] + ["fc"]
    for name in names:
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        peak = np.abs(weight).reshape(len(weight), -1).max(axis=1)
        weight_scale = np.maximum(peak / weight_peak, 1e-12).astype(np.float32)
        codes = np.rint(weight / weight_scale.reshape(-1, *[1] * (weight.ndim - 1)))
        integer_bias = np.rint(bias / (weight_scale.astype(np.float64) * input_scale))
        limit = np.iinfo(np.int32)
        output_scale = 0.0 if name == "fc" else float(min(max(peaks[name], 1e-6), network.CLIP) / 255)
        layers[name] = Quantised(
            np.clip(codes, -weight_peak, weight_peak).astype(np.int8), weight_scale,
            np.clip(integer_bias, limit.min, limit.max).astype(np.int32), float(input_scale), output_scale)
        input_scale = output_scale
    return layers
