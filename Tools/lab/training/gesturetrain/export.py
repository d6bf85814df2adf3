"""Checkpoint -> float32 safetensors with the names of the network (BatchNorm as the checkpoint has it) and its provenance.

`python -m gesturetrain.export RUN/whole.pt OUT.safetensors [--notes JSON]` also writes OUT.json, the same metadata.
"""

import argparse
import hashlib
import json
import pathlib

import torch

from common import tensors
from common.labels import LABELS, NULL
from common.quantised import PREFIX

from .network import PARAMETERS, network_of, plain

SOURCES = (
    {"repository": "ardamavi/Sign-Language-Digits-Dataset", "licence": "Apache-2.0",
     "attribution": "Zeynep Dikle and Arda Mavi, Turkey Ankara Ayranci Anadolu High School students"},
    {"repository": "emrecandir9/custom-gesture-dataset", "licence": "MIT", "attribution": "emrecandir9, 2025"},
    {"repository": "immersive-web/webxr-input-profiles", "licence": "MIT", "attribution": "generic-hand assets, Amazon, 2019"},
    {"repository": "makehumancommunity/makehuman", "licence": "CC0-1.0", "attribution": "MakeHuman base mesh"},
    {"repository": "Jxshyz/Gesture_Recognition", "licence": "Apache-2.0", "attribution": "Jxshyz"},
    {"repository": "intel-iot-devkit/sample-videos", "licence": "CC-BY-4.0", "attribution": "Intel IoT DevKit sample-videos"},
)


def unweighted(state):
    """The averaged tensors of a training checkpoint, with the loss weights of the classes removed from the classifier's biases.

    A class of weight w seems w times as frequent as it is, but confidences should be true probabilities.
    """
    average = dict(state["average"])
    if state.get("class_weights") is not None:
        average["fc.bias"] = average["fc.bias"] - torch.log(state["class_weights"])
    return average


def export(checkpoint, out, notes=None):
    """Writes the averaged weights atomically. -> metadata."""
    state = torch.load(checkpoint, weights_only=False)
    average = plain(unweighted(state))
    weights = {k: v.float().contiguous().clone() for k, v in average.items() if not k.endswith("num_batches_tracked")}
    network_of(weights)
    assert all(torch.isfinite(v).all() for v in weights.values())
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].numpy().tobytes())
    training = {"stage": pathlib.Path(checkpoint).stem, "steps_of_stage": state["step"], "frames_of_stage": state["seen"],
                "sources": SOURCES, "torch": torch.__version__, **(notes or {})}
    metadata = {"network": "GestureTCN-340K", "parameters": str(PARAMETERS), "labels": json.dumps(LABELS), "null_index": str(NULL),
                "batchnorm": "folded" if "stem.conv.bias" in weights else "raw, eps 1e-5", "tensors_sha256": digest.hexdigest(), "training": json.dumps(training)}
    for name, scale in (state.get("scales") or {}).items():
        metadata[PREFIX + name] = str(scale)
    out = pathlib.Path(out)
    tensors.write(out, weights, metadata)
    readable = {**metadata, "labels": list(LABELS), "null_index": NULL, "parameters": PARAMETERS, "training": training}
    out.with_suffix(".json").write_text(json.dumps(readable, indent=1) + "\n")
    return readable


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--notes", type=json.loads, help="further facts about the training, as a JSON object")
    args = parser.parse_args()
    print(json.dumps(export(args.checkpoint, args.out, args.notes), indent=1))


if __name__ == "__main__":
    main()
