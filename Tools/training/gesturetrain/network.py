"""GestureTCN-340K: 16 gray frames of 224x224 in, 13 logits out. The graph is fixed; names are those of the checkpoints."""

import torch
from torch import nn

from .labels import CLASSES

WINDOW = 16
SIDE = 224
FEATURES = 128
PARAMETERS = 340_813

# name, input channels, output channels, stride of the 3x3 depthwise convolution
BLOCKS = (
    ("b1", 16, 32, 2), ("b2", 32, 32, 1), ("b3", 32, 64, 2), ("b4", 64, 64, 1), ("b4b", 64, 64, 1),
    ("b5", 64, 128, 2), ("b6", 128, 128, 1), ("b7", 128, 256, 2),
)


class ConvBN(nn.Module):
    """Convolution without bias, then BatchNorm and ReLU6. `conv` and `bn` are the checkpoint's names."""

    def __init__(self, conv, norm):
        super().__init__()
        self.conv = conv
        self.bn = norm

    def forward(self, x):
        return torch.clamp(self.bn(self.conv(x)), 0.0, 6.0)


class Separable(nn.Module):
    """Depthwise then pointwise convolution, each with BatchNorm and ReLU6. [N,i,H,W] -> [N,o,H',W']."""

    def __init__(self, i, o, kernel, stride, padding):
        super().__init__()
        self.dw = nn.Conv2d(i, i, kernel, stride, padding, groups=i, bias=False)
        self.dw_bn = nn.BatchNorm2d(i, eps=1e-5)
        self.pw = nn.Conv2d(i, o, 1, bias=False)
        self.pw_bn = nn.BatchNorm2d(o, eps=1e-5)

    def forward(self, x):
        x = torch.clamp(self.dw_bn(self.dw(x)), 0.0, 6.0)
        return torch.clamp(self.pw_bn(self.pw(x)), 0.0, 6.0)


class GestureTCN(nn.Module):
    """The whole network. `encode` is per frame; `temporal` sees the columns of a clip."""

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
        """uint8 or float codes 0...255, [N,224,224] -> feature columns [N,128]."""
        return self.b8(self.maps(frames)).flatten(1)

    def maps(self, frames):
        """The picture before b8 looks at all of it: [N,256,7,7]."""
        x = frames.unsqueeze(1).float().div(255.0).contiguous(memory_format=torch.channels_last)
        x = self.stem(x)
        for name, *_ in BLOCKS:
            x = getattr(self, name)(x)
        return x

    def temporal(self, columns):
        """Columns [B,T,128], T >= 16 -> logits [B,T-15,13], one row for every full window.

        The receptive field is 15 steps and nothing is padded, so the oldest column of each window has no influence
        and the first of the T-14 outputs (15 frames only) is left out.
        """
        x = columns.transpose(1, 2)
        x = self.t3(self.t2(self.t1(x)))
        return self.fc(x.transpose(1, 2))[:, 1:]

    def forward(self, clip):
        """uint8 clip [B,T,224,224] -> logits [B,T-15,13]."""
        batch, steps = clip.shape[:2]
        return self.temporal(self.encode(clip.flatten(0, 1)).view(batch, steps, FEATURES))


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
    return count


if __name__ == "__main__":
    print(f"{self_check():,} parameters, shapes and causality as specified")
