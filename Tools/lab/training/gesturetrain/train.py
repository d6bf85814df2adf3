"""Training in four stages, each resumable: a restarted stage continues from its last checkpoint, and every batch is a function of the seed and the
step alone.

`python -m gesturetrain.train crops CACHE RUN` the layers up to the map on crops around the hand, auxiliary targets
(where, how large, which pose);
`python -m gesturetrain.train encoder CACHE RUN` the same on whole frames, with the feature column;
`python -m gesturetrain.train head COLUMNS RUN` the temporal layers on columns that the engine computed;
`python -m gesturetrain.train whole CACHE RUN` everything together on clips, with --quantised in the engine's arithmetic.

With --processes N a stage's batch is shared among N processes. One process per core with one thread each is faster than one process with all threads:
threads do not wait for each other after every layer, and each process composes its own part of the batch.
"""

import argparse
import os
import pathlib
import sys
import tempfile

# glibc would return the large activation buffers to the system at every step, and with more than one arena it does so with any thresholds: 1.5 times
# the frames a second.
_MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(8 << 30), "MALLOC_TRIM_THRESHOLD_": str(8 << 30), "MALLOC_TOP_PAD_": str(256 << 20)}

import cv2
import torch
import torch.distributed
import torch.multiprocessing

from . import head, stills, whole

# Options that apply only to these stages.
_STAGES = {
    **dict.fromkeys(("sampling_weights", "photos", "reinitialise"), ("encoder", "crops")),
    "frozen": ("encoder", "crops", "whole"),
    **dict.fromkeys(("span", "thin", "muon", "side", "quantised", "soft_targets", "balance"), ("whole",)),
    **dict.fromkeys(("folded", "noise", "teachers"), ("head",)),
}


def parsed(words=None):
    """The options of a command line; rejects invalid combinations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=("encoder", "crops", "head", "whole"))
    parser.add_argument("cache", type=pathlib.Path, help="composed chunks; head: a folder of columns")
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--until", type=int, help="stop after this step, to go on later; the schedule is that of --steps")
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate")
    parser.add_argument("--batch", type=int, default=64, help="frames (encoder, whole) or clips (head) a step")
    parser.add_argument("--first", type=int, default=0, help="first chunk to use")
    parser.add_argument("--end", type=int, default=100, help="chunks below this number are used")
    parser.add_argument("--window", type=int, help="chunks in use at a time, moving through all of them: as many as memory can hold (75 MB each)")
    parser.add_argument("--sampling-weights", type=pathlib.Path, help="encoder, crops: a folder of `sampling`, by whose weights frames are taken")
    parser.add_argument("--photos", type=pathlib.Path, help="encoder, crops: a bank whose photographs are every tenth frame")
    parser.add_argument("--span", type=int, default=32, help="whole: grid frames of a clip")
    parser.add_argument("--thin", type=float, default=0.0, help="whole: share of the clips of fast cameras of which it takes fewer pictures")
    parser.add_argument("--muon", action="store_true", help="whole: matrices move by Muon, as in the other stages; wants --thin and a small rate")
    parser.add_argument("--side", type=float, default=0.15, help="whole: weight of the auxiliary loss")
    parser.add_argument("--frozen", type=int, default=0, help="encoder, crops, whole: stages from the stem on that stay as they are")
    parser.add_argument("--soft-targets", type=pathlib.Path, help="whole: a folder of `distillation`, whose soft targets are half of what is learned")
    parser.add_argument("--balance", action="store_true", help="whole: rare poses count for more in the auxiliary loss")
    parser.add_argument("--quantised", type=pathlib.Path,
                        help="whole: train as the engine computes in int8, with the activation scales of this model")
    parser.add_argument("--start", type=pathlib.Path, help="checkpoint to start from")
    parser.add_argument("--folded", action="store_true", help="head: rates relative to the weights, as layers without BatchNorm need")
    parser.add_argument("--reinitialise", type=int, help="encoder, crops: every so many steps of the first half dead channels start anew")
    parser.add_argument("--noise", type=float, default=0.25, help="head: noise added to the columns, in deviations of theirs")
    parser.add_argument("--teachers", type=pathlib.Path, nargs="*", default=[],
                        help="head: checkpoints whose mean logits of the same columns give the soft targets, half of what is learned")
    parser.add_argument("--fresh", action="store_true", help="encoder: b8 anew; head: the temporal part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="of each process")
    parser.add_argument("--processes", type=int, default=1, help="that share each batch")
    args = parser.parse_args(words)
    for option, stages in _STAGES.items():
        if getattr(args, option) != parser.get_default(option) and args.stage not in stages:
            parser.error(f"--{option.replace('_', '-')} can be used with {' and '.join(stages)}, not with {args.stage}")
    if args.stage == "whole" and args.batch // args.processes < args.span:
        parser.error(f"--batch {args.batch} is {args.batch // args.processes} frames a process, fewer than a clip of --span {args.span} may have")
    return args


def main():
    if any(os.environ.get(k) != v for k, v in _MALLOC.items()):
        os.environ.update(_MALLOC)
        os.execv(sys.executable, [sys.executable, "-m", "gesturetrain.train", *sys.argv[1:]])
    args = parsed()
    if args.processes > 1:
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(train, (args, folder), args.processes)
    else:
        train(0, args)


def train(rank, args, folder=None):
    """A stage, or one process's part of it; the processes synchronise through `folder`."""
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(0)
    torch.manual_seed(args.seed)
    # A dead channel's momentum decays to subnormal numbers, on which a processor is a hundred times slower.
    torch.set_flush_denormal(True)
    if folder:
        torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=args.processes)
    {"encoder": stills.encoder, "crops": stills.crops_encoder, "head": head.head, "whole": whole.whole}[args.stage](args)
    if folder:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
