"""GestureTCN-340K: 16 gray frames of 224x224 in, 13 logits out. The graph is fixed; names are those of the checkpoints."""

import torch
from torch import nn
from torch.nn import functional as F

from common.labels import CLASSES, WINDOW
from common.quantised import clamped_gradient

SIDE = 224
FEATURES = 128
PARAMETERS = 340_813

# name, input channels, output channels, stride of the 3x3 depthwise convolution
BLOCKS = (
    ("b1", 16, 32, 2), ("b2", 32, 32, 1), ("b3", 32, 64, 2), ("b4", 64, 64, 1), ("b4b", 64, 64, 1),
    ("b5", 64, 128, 2), ("b6", 128, 128, 1), ("b7", 128, 256, 2),
)


class ReLU6(torch.autograd.Function):
    """ReLU6 that overwrites its input in the forward pass and its gradient in the backward pass.

    The activations of a batch are far larger than any cache, so every saved buffer saves time: 1.2 times the frames a second.
    """

    @staticmethod
    def forward(context, x):
        F.hardtanh_(x, 0.0, 6.0)
        context.mark_dirty(x)
        context.save_for_backward(x)
        return x

    @staticmethod
    def backward(context, gradient):
        return clamped_gradient(gradient, context.saved_tensors[0], 6.0)


relu6 = ReLU6.apply


def pixels(frames):
    """uint8 or float frames [N,H,W] -> the stem's input."""
    return frames.unsqueeze(1).float().div(255.0).contiguous(memory_format=torch.channels_last)


class ConvBN(nn.Module):
    """Convolution without bias, then BatchNorm and ReLU6. `conv` and `bn` are the checkpoint's names."""

    LAYERS = (("conv", "bn"),)

    def __init__(self, conv, norm):
        super().__init__()
        self.conv = conv
        self.bn = norm

    def forward(self, x):
        return relu6(self.bn(self.conv(x)))


class Separable(nn.Module):
    """Depthwise then pointwise convolution, each with BatchNorm and ReLU6. [N,i,H,W] -> [N,o,H',W']."""

    LAYERS = (("dw", "dw_bn"), ("pw", "pw_bn"))

    def __init__(self, i, o, kernel, stride, padding):
        super().__init__()
        self.dw = nn.Conv2d(i, i, kernel, stride, padding, groups=i, bias=False)
        self.dw_bn = nn.BatchNorm2d(i, eps=1e-5)
        self.pw = nn.Conv2d(i, o, 1, bias=False)
        self.pw_bn = nn.BatchNorm2d(o, eps=1e-5)

    def forward(self, x):
        x = relu6(self.dw_bn(self.dw(x)))
        return relu6(self.pw_bn(self.pw(x)))


class GestureTCN(nn.Module):
    """The whole network. `encode` works per frame; `temporal` reads the columns of a clip."""

    def __init__(self):
        super().__init__()
        self.stem = ConvBN(nn.Conv2d(1, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16, eps=1e-5))
        for name, i, o, stride in BLOCKS:
            self.add_module(name, Separable(i, o, 3, stride, 1))
        self.b8 = Separable(256, FEATURES, 7, 1, 0)
        self.t1 = ConvBN(nn.Conv1d(128, 160, 3, dilation=1, bias=False), nn.BatchNorm1d(160, eps=1e-5))
        self.t2 = ConvBN(nn.Conv1d(160, 160, 3, dilation=2, bias=False), nn.BatchNorm1d(160, eps=1e-5))
        self.t3 = ConvBN(nn.Conv1d(160, 160, 3, dilation=4, bias=False), nn.BatchNorm1d(160, eps=1e-5))
        self.fc = nn.Linear(160, CLASSES)

    def encode(self, frames):
        """uint8 or float frames, 0...255, [N,224,224] -> feature columns [N,128]."""
        return self.column(self.maps(frames))

    def column(self, maps):
        """[N,256,7,7] -> feature columns [N,128]."""
        return self.b8(maps).flatten(1)

    def maps(self, frames, frozen=0):
        """The map before b8: [N,256,7,7]. The first `frozen` stages get no gradient."""
        x = pixels(frames)
        for k, stage in enumerate(self.stages()):
            with torch.set_grad_enabled(torch.is_grad_enabled() and k >= frozen):
                x = stage(x)
        return x

    def stages(self):
        """The stem and the blocks up to b7."""
        return [self.stem, *(getattr(self, name) for name, *_ in BLOCKS)]

    def temporal(self, columns):
        """Columns [B,T,128], T >= 16 -> logits [B,T-15,13], one row for every full window.

        The receptive field is 15 steps and nothing is padded, so the oldest column of each window has no influence, and the first of the T-14 outputs
        (15 frames only) is dropped.
        """
        x = columns.transpose(1, 2)
        x = self.t3(self.t2(self.t1(x)))
        return self.fc(x.transpose(1, 2))[:, 1:]

    def forward(self, clip):
        """uint8 clip [B,T,224,224] -> logits [B,T-15,13]."""
        batch, steps = clip.shape[:2]
        return self.temporal(self.encode(clip.flatten(0, 1)).view(batch, steps, FEATURES))


class Standard(nn.Conv2d):
    """A convolution whose filters are normalised at every use: w / |w| * gain; pointwise filters are centred first.

    It keeps a network without BatchNorm trainable from scratch. Activations are positive, so without centring every channel would mainly carry their
    common mean, and layers would hardly distinguish inputs (weight standardisation: Qiao et al. 2019, arXiv 1903.10520; without normalised
    activations: Brock et al. 2021, arXiv 2101.08692). It has no cost per pixel, while BatchNorm's backward pass costs several times the rest.
    """

    def __init__(self, conv):
        super().__init__(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding, groups=conv.groups)
        with torch.no_grad():
            nn.init.normal_(self.weight, std=self.weight[0].numel() ** -0.5)
            if conv.in_channels == 1:
                self.weight -= self.weight.mean((1, 2, 3), keepdim=True)
        self.gain = nn.Parameter(torch.ones(conv.out_channels))

    @staticmethod
    def centred(weight):
        """Filters [O,I,k,k], pointwise ones centred."""
        return weight - weight.mean(1, keepdim=True) if weight.shape[2:] == (1, 1) else weight

    @staticmethod
    def effective(weight, gain):
        """The filters [O,I,k,k] that the convolution uses."""
        weight = Standard.centred(weight)
        return weight * (gain * weight.pow(2).sum((1, 2, 3)).add(1e-8).rsqrt()).view(-1, 1, 1, 1)

    def forward(self, x):
        return self._conv_forward(x, self.effective(self.weight, self.gain), self.bias)


def standardise(net):
    """Converts the encoder's convolutions to `Standard`, with new filters and without BatchNorm, in place; returns the network."""
    for owner in (*net.stages(), net.b8):
        for conv, norm in owner.LAYERS:
            setattr(owner, conv, Standard(getattr(owner, conv)))
            setattr(owner, norm, nn.Identity())
    return net


def balance(owner, x):
    """Gives every channel of one stage (`Standard`) the gain and bias for which x gives it a mean of 0.3 and a deviation of 1.5.

    x: the stage's input for a few hundred frames (Salimans and Kingma 2016, arXiv 1602.07868). -> the stage's output.
    """
    with torch.no_grad():
        for conv, _ in owner.LAYERS:
            conv = getattr(owner, conv)
            conv.gain.fill_(1.0)
            conv.bias.zero_()
            y = conv(x)
            conv.gain.copy_(1.5 / y.std((0, 2, 3)).clamp(min=0.02))
            conv.bias.copy_(0.3 - y.mean((0, 2, 3)) * conv.gain)
            x = relu6(conv(x))
    return x


def plain(state):
    """A checkpoint's tensors with the effective filters of `Standard` convolutions, under the names of a folded checkpoint."""
    out = {k: v for k, v in state.items() if not k.endswith(".gain")}
    for name in (k.removesuffix(".gain") for k in state if k.endswith(".gain")):
        out[name + ".weight"] = Standard.effective(state[name + ".weight"], state[name + ".gain"])
    return out


def fold(net):
    """Folds every BatchNorm of a network into the convolution before it, in place, and returns the network.

    The convolutions get a bias (`stem.conv.bias`, `b1.dw.bias`, ...) and the BatchNorms become identities: the names of a folded checkpoint. Training
    becomes three to four times as fast, because BatchNorm's backward pass is the most expensive part.
    """
    def merge(owner, conv_name, norm_name):
        conv, norm = getattr(owner, conv_name), getattr(owner, norm_name)
        if isinstance(norm, nn.Identity):
            return
        with torch.no_grad():
            gain = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
            bias = norm.bias.double() - norm.running_mean.double() * gain
            conv.weight.copy_(conv.weight.double() * gain.view(-1, *[1] * (conv.weight.dim() - 1)))
        conv.bias = nn.Parameter(bias.float())
        setattr(owner, norm_name, nn.Identity())

    for module in list(net.modules()):
        for conv, norm in getattr(module, "LAYERS", ()):
            merge(module, conv, norm)
    return net


def network_of(state):
    """A network with the parameters of a checkpoint and its classes; each part is folded, standard or with BatchNorm as in the checkpoint.

    Tensors for training only are ignored.
    """
    net = GestureTCN()
    if "stem.conv.gain" in state:
        standardise(net)
    elif "stem.conv.bias" in state:
        for part in (*net.stages(), net.b8):
            fold(part)
    if "t1.conv.bias" in state:
        for part in (net.t1, net.t2, net.t3):
            fold(part)
    if len(state["fc.bias"]) != CLASSES:
        net.fc = nn.Linear(net.fc.in_features, len(state["fc.bias"]))
    own = net.state_dict()
    counters = {k for k in own if k.endswith("num_batches_tracked")}
    missing, _ = net.load_state_dict({k: v for k, v in state.items() if k in own}, strict=False)
    assert set(missing) <= counters, missing
    return net


def self_check():
    """Parameter count, shapes, causality and full-window equality; raises AssertionError."""
    torch.manual_seed(0)
    net = GestureTCN().eval()
    count = sum(p.numel() for p in net.parameters())
    assert count == PARAMETERS, f"{count} parameters"
    clip = torch.randint(0, 256, (2, 18, SIDE, SIDE), dtype=torch.uint8)
    with torch.no_grad():
        whole = net(clip)
        assert whole.shape == (2, 3, CLASSES)
        for k in range(3):
            window = net(clip[:, k:k + WINDOW])
            assert window.shape == (2, 1, CLASSES)
            assert torch.allclose(window[:, 0], whole[:, k], atol=1e-4)
        changed = clip.clone()
        changed[:, 17] = 0
        assert torch.allclose(net(changed)[:, :2], whole[:, :2], atol=1e-4), "a later frame changed an earlier logit"
        assert torch.allclose(fold(net)(clip), whole, atol=1e-4), "folding changed the network"
    return count


if __name__ == "__main__":
    print(f"{self_check():,} parameters, shapes and causality as specified")
