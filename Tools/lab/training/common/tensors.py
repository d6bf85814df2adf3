"""Reproducible files: safetensors' own writer shuffles the metadata, and pickles depend on which strings are the same object."""

import json
import os
import pathlib
import sys

import torch


def safetensors(tensors, metadata):
    """float32 tensors as the bytes of a file, in the order of their names: the same tensors and metadata give the same bytes."""
    header, data = {"__metadata__": dict(sorted(metadata.items()))}, b""
    for name in sorted(tensors):
        values = tensors[name].float().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def write(path, tensors, metadata):
    """Writes float32 tensors atomically."""
    path = pathlib.Path(path)
    part = path.with_suffix(".part")
    part.write_bytes(safetensors(tensors, metadata))
    os.replace(part, path)


def plain(state):
    """A copy of a state of dicts, lists, tuples and numbers, with new containers and one object for equal strings; tensors are not copied."""
    if isinstance(state, dict):
        return {plain(k): plain(v) for k, v in state.items()}
    if isinstance(state, (list, tuple)):
        return type(state)(plain(v) for v in state)
    return sys.intern(str(state)) if type(state) is str else state


def save(path, state):
    """`torch.save`, atomically; saving a loaded state again gives the same bytes."""
    path = pathlib.Path(path)
    part = path.with_suffix(".tmp")
    torch.save(plain(state), part)
    os.replace(part, path)
