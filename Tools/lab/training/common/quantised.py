"""Quantised values as in the engine's int8: activations 0...255 with one scale per layer, weights -127...127 with one binary16 scale per channel."""

import numpy as np
import torch

PREFIX = "activation_scale."  # of a layer's scale in the metadata of a model or a checkpoint


def clamped_gradient(gradient, y, top):
    """The gradient where 0 < y < top, else 0, written in place."""
    # A gradient that is an expanded view (that of a sum) must not be overwritten.
    if gradient.numel() > 1 and 0 in gradient.stride():
        gradient = gradient.contiguous()
    return torch.ops.aten.hardtanh_backward.grad_input(gradient, y, 0.0, top, grad_input=gradient)


def weight_scales(weight):
    """For each output channel, the smallest binary16 with which no weight needs more than 127 steps; 1 without weights. -> float32 [O]."""
    largest = weight.detach().flatten(1).abs().amax(1).double().numpy()
    half = np.where(largest == 0, 1.0, largest / 127).astype(np.float16)
    short = half.astype(np.float64) * 127 < largest
    return torch.from_numpy(np.where(short, np.nextafter(half, np.float16(np.inf)), half).astype(np.float32))


def binary16(x):
    return x.detach().half().float()


class Codes(torch.autograd.Function):
    """Floats -> their nearest quantised values, dequantised, in place; gradients pass where nothing was clamped."""

    @staticmethod
    def forward(context, x, scale):
        x.mul_(1 / scale).round_().clamp_(0, 255).mul_(scale)
        context.mark_dirty(x)
        context.save_for_backward(x)
        context.top = 255 * scale
        return x

    @staticmethod
    def backward(context, gradient):
        return clamped_gradient(gradient, context.saved_tensors[0], context.top), None
