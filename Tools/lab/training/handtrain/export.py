"""A trained head -> float32 safetensors with the names of the network (t1.conv.weight ... fc.bias, BatchNorm as it is or folded) and its metadata.

`python -m handtrain.export RUN.pt OUT.safetensors [--rules M,B,C,E[,R]] [--bias LABEL=X ...]`. Its input is a column's quantised values times 6/255.
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
import torch

from common import tensors
from common.labels import INDEX, LABELS, NULL
from common.recognise import Rules

from .camera import GRID
from .features import LAYOUT
from .head import SCALE, restored

TRACES = {
    "Apache-2.0": (
        "AdiosSora/FOCUS",
        "AndresZU/reconocimiento-de-senas-con-mediapipe",
        "Anodis108/NCKH_Hand_gesture_recognition_Mediapipe",
        "Baumholz/hand-gesture-recognition",
        "Chatherina423/hand-gesture-recognition-mediapipe",
        "ELEMENTLHERO/hand-gesture-recognition-mediapipe",
        "Ghostexvan/Recognizes-hand-gestures-and-hand-postures-used-as-video-game-controller",
        "HungDuong1998/MediapipeHandModelTrain",
        "IggyLau/GestureParticleDog",
        "JairoGonzaga/VR",
        "WizkWong/hand-gesture-sign-language-recognition",
        "chefwork24/Gesture_Recognition",
        "chohj1111/hand-gesture-recognition-using-mediapipe",
        "kch3coo/hand-gesture-recognition-gaming",
        "lihaong/HandsSignASLRecognition-ToSpeech",
    ),
    "MIT": (
        "Gandreti20/Sign_Lang_detection",
        "SegFault03/FYP-GestNet",
        "Vaib01022004/GestureNav",
        "anton-linden/Gesture2Key---Hand-gesture-recognition",
        "kelhuynh/CapstoneProject",
    ),
}

SOURCES = (
    {"repository": "ardamavi/Sign-Language-Digits-Dataset", "licence": "Apache-2.0",
     "attribution": "Zeynep Dikle and Arda Mavi, Turkey Ankara Ayranci Anadolu High School students"},
    {"repository": "SubhiH/HandsDataset", "licence": "Apache-2.0", "attribution": "SubhiH"},
    {"repository": "dwivedi1997/Hand-Gesture-YOLOv8 (Roboflow: lebanese-university-grkoz/hand-gesture-recognition-y5827)", "licence": "CC-BY-4.0",
     "attribution": "a Roboflow user"},
    {"repository": "emrecandir9/custom-gesture-dataset", "licence": "MIT", "attribution": "emrecandir9, 2025"},
    {"repository": "4Tsuki4/Handy-Sign-Language-Detection", "licence": "MIT", "attribution": "Simon Dwyer, 2023"},
    {"repository": "Jxshyz/Gesture_Recognition", "licence": "Apache-2.0", "attribution": "Jxshyz"},
    *({"repository": repository, "licence": licence, "attribution": repository.split("/")[0] + ", after Kazuhito00; the ways of fingertips"}
      for licence, repositories in TRACES.items() for repository in repositories),
    {"repository": "google-ai-edge/mediapipe", "licence": "Apache-2.0", "attribution": "the landmarks of these pictures were read with its hand tracker"},
)


def export(run, out, rules=Rules(), bias={}):
    """Writes the averaged weights with `bias` added to the logits of its labels; BatchNorm is stored as in the run, folded or not. -> SHA-256 of the
    file."""
    state = torch.load(run, weights_only=False)
    head = restored(state)
    head = head if "folded" in state else head.plain()
    with torch.no_grad():
        for name, more in bias.items():
            head.fc.bias[INDEX[name]] += more
    weights = {k: v.float().contiguous().clone() for k, v in head.state_dict().items() if not k.endswith("num_batches_tracked")}
    assert all(torch.isfinite(v).all() for v in weights.values())
    metadata = {"network": "GestureTCN-340K temporal layers on landmarks", "labels": json.dumps(LABELS), "null_index": str(NULL), "batchnorm": "folded" if "folded" in state else "raw, eps 1e-5",
                "input_scale": repr(SCALE), "grid_hz": str(GRID), "features": json.dumps([name for name, *_ in LAYOUT]),
                "training": json.dumps({"steps": state["steps"], "sources": SOURCES, "torch": torch.__version__})}
    metadata |= rules.metadata(LABELS, GRID)
    metadata |= {name: str(np.float32(scale)) for name, scale in state.get("scales", {}).items()}
    out = pathlib.Path(out)
    tensors.write(out, weights, metadata)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rules", default="5,3,0.85,2")
    parser.add_argument("--bias", nargs="*", default=[], metavar="LABEL=X")
    args = parser.parse_args()
    print(export(args.run, args.out, Rules.of(args.rules), {k: float(v) for k, v in (b.split("=") for b in args.bias)}), args.out)


if __name__ == "__main__":
    main()
