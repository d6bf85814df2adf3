"""swift_gesture.daft, locally and on a Ray cluster of two nodes. `run` sets up all that this needs."""
import concurrent.futures
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import av
import daft
import numpy
import ray
import swift_gesture
from daft.datasets import lerobot
from daft.functions import unnest, video_file
from daft_physical_ai.hands import HAND_DTYPE as PEER_HAND_DTYPE
from ray.cluster_utils import Cluster

import swift_gesture.daft
from swift_gesture.daft import GESTURES_DTYPE, HAND_DTYPE, HANDS_DTYPE, recognize_gestures, recognize_hands

ROOT = pathlib.Path(__file__).resolve().parents[4]
CLIP = ROOT / "Weights/demo/hands.mp4"
FRAMES = 172


def logged():
    """The demo's event log, which Tools/lab/demo-clip wrote with gesture-bench."""
    return [json.loads(line) for line in CLIP.with_suffix(".jsonl").read_text().splitlines()]


def lines(events):
    """Events as the log has them."""
    return [{"event": event["kind"], "label": event["label"], "confidence": round(event["confidence"], 4),
             "onset_s": round(event["onset"], 6), "decision_s": round(event["decision"], 6), "sequence": index}
            for index, event in enumerate(events)]


def begins(row):
    return [event["label"] for event in row["events"] if event["kind"] == "begin"]


def images():
    with av.open(str(CLIP)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def column(pixels, mode="RGB"):
    return daft.from_pydict({"image": pixels}).select(daft.col("image").cast(daft.DataType.image(mode)))


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def gestures(clips, **options):
    frame = daft.from_pydict({"clip": clips})
    return frame.select(recognize_gestures(frame["clip"], **options).alias("gestures")).to_pydict()["gestures"]


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class HandTests(unittest.TestCase):
    def test_the_schema_begins_with_the_one_of_daft_physical_ai(self):
        peer = PEER_HAND_DTYPE.fields
        self.assertEqual(list(HAND_DTYPE.fields.items())[:len(peer)], list(peer.items()))

    def test_hands_are_those_of_the_engine(self):
        pixels = images()[10:40:3]
        frame = column(pixels)
        found = frame.select(recognize_hands(frame["image"]).alias("hands"))
        self.assertEqual(found.schema()["hands"].dtype, HANDS_DTYPE)
        engine = swift_gesture.Engine()
        seen = 0
        for image, hands in zip(pixels, found.to_pydict()["hands"]):
            expected = engine.recognize_hands(image, "rgb", maximum_hands=2)
            self.assertEqual(len(hands), len(expected))
            for hand, other in zip(hands, expected):
                seen += 1
                self.assertEqual((hand["handedness"], hand["pose"]), (other.handedness, other.pose))
                self.assertAlmostEqual(hand["confidence"], other.presence, places=6)
                numpy.testing.assert_allclose(hand["kp2d"], other.landmarks[:, :2] * [480, 360], rtol=1e-5)
                numpy.testing.assert_allclose(hand["kp3d"], other.world_landmarks, rtol=1e-6)
                for name, score in other.pose_scores.items():
                    self.assertAlmostEqual(hand["pose_scores"][name], score, places=6)
        self.assertGreater(seen, 5)

    def test_every_mode_of_eight_bits(self):
        image = images()[20]
        for mode, pixels in {"RGB": image, "RGBA": numpy.dstack([image, image[..., :1]])}.items():
            frame = column([pixels], mode)
            hands, = frame.select(recognize_hands(frame["image"]).alias("hands")).to_pydict()["hands"]
            self.assertEqual(len(hands), 1, mode)
        for mode, channels in {"L": 1, "LA": 2}.items():
            frame = column([image[..., :channels]], mode)
            row, = frame.select(recognize_hands(frame["image"]).alias("hands")).to_pydict()["hands"]
            # Hands are seldom found in gray images, but the images are taken.
            self.assertIsInstance(row, list, mode)

    def test_images_that_cannot_be_examined_are_null(self):
        frame = daft.from_pydict({"image": [images()[20], None]}).select(
            daft.col("image").cast(daft.DataType.image("RGB")))
        rows = frame.select(recognize_hands(frame["image"]).alias("hands")).to_pydict()["hands"]
        self.assertEqual(len(rows[0]), 1)
        self.assertIsNone(rows[1])
        worker = swift_gesture.daft._Images({})
        with warnings.catch_warnings(record=True) as reported:
            warnings.simplefilter("always")
            self.assertIsNone(worker._hands(swift_gesture.Engine(), numpy.zeros((360, 480, 3), numpy.uint16)))
        self.assertIn("uint16", str(reported[0].message))

    def test_threads_that_share_a_worker(self):
        pixels = images()[:64]
        worker = swift_gesture.daft._Images({"maximum_hands": 2})
        batches = [daft.Series.from_pylist(pixels[at:at + 8]).cast(daft.DataType.image("RGB")) for at in range(0, 64, 8)]
        alone = [worker.recognize(batch) for batch in batches]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(worker.recognize, batches)), alone)

    def test_another_column_is_refused(self):
        frame = daft.from_pydict({"image": ["hand.png"]})
        with self.assertRaisesRegex(Exception, "takes a column of images"):
            frame.select(recognize_hands(frame["image"])).collect()

    def test_options_are_checked_when_the_expression_is_made(self):
        image = daft.col("image")
        for options in ({"maximum_hands": 0}, {"rate": 30}, {"max_concurrency": 0}, {"max_concurrency": True}):
            with self.assertRaises(swift_gesture.InvalidArgument):
                recognize_hands(image, **options)
        for options in ({"rate": 25}, {"nothing": 1}, {"max_concurrency": 1.5}):
            with self.assertRaises(swift_gesture.InvalidArgument):
                recognize_gestures(image, **options)


class ClipTests(Folder):
    def test_events_are_those_of_the_log(self):
        for clip in (str(CLIP), f"file://{CLIP}", CLIP.read_bytes()):
            row, = gestures([clip])
            self.assertEqual((row["frames"], row["error"]), (FRAMES, None))
            self.assertEqual(lines(row["events"]), logged())
        frame = daft.from_pydict({"path": [str(CLIP)]})
        found = frame.select(recognize_gestures(video_file(frame["path"])).alias("found"))
        self.assertEqual(found.schema()["found"].dtype, GESTURES_DTYPE)
        self.assertEqual(lines(found.to_pydict()["found"][0]["events"]), logged())

    def test_a_failed_clip_is_a_row_with_an_error(self):
        whole = CLIP.read_bytes()
        paths = {name: self.folder / name for name in ("text.mp4", "sound.wav", "cut.mp4", "missing.mp4", "empty.mp4")}
        paths["text.mp4"].write_text("no video")
        paths["cut.mp4"].write_bytes(whole[:len(whole) * 2 // 3])
        paths["empty.mp4"].write_bytes(b"")
        ffmpeg("-f", "lavfi", "-i", "sine=d=1", paths["sound.wav"])
        *failed, last, null = gestures([*map(str, paths.values()), str(CLIP), None])
        rows = dict(zip(paths, failed))
        self.assertEqual((last["frames"], last["error"]), (FRAMES, None))
        self.assertIn("null", null["error"])
        missing = daft.from_pydict({"path": [str(paths["missing.mp4"])]})
        row, = missing.select(recognize_gestures(video_file(missing["path"])).alias("found")).to_pydict()["found"]
        self.assertEqual(row["error"], rows["missing.mp4"]["error"])
        # What came before the cut is kept, and each begin has its end.
        cut = rows["cut.mp4"]
        self.assertTrue(50 < cut["frames"] < FRAMES)
        whole = [event["label"] for event in logged() if event["event"] == "begin"]
        self.assertEqual(begins(cut)[:3], whole[:3])
        self.assertEqual([event["kind"] for event in cut["events"]], ["begin", "end"] * len(begins(cut)))

    def test_the_judgement_is_that_of_the_command(self):
        """Each kind of failure has the sentence and the events of `gesture-bench replay`."""
        command = [os.environ["GESTURE_BENCH"], "replay", "--no-arms", "--json"]
        whole, kinds = CLIP.read_bytes(), {}
        for name, *arguments in [("a.mkv", "-c", "copy"), ("a.ts", "-c", "copy"), ("a.flv", "-c", "copy"),
                                 ("a.avi", "-c:v", "mjpeg", "-q:v", "3"), ("a.mpg", "-r", "25", "-c:v", "mpeg2video")]:
            path = self.folder / name
            ffmpeg("-i", CLIP, "-t", "6", *arguments, path)
            content = path.read_bytes()
            for kind, part in {"": content, "cut-": content[:len(content) * 2 // 3], "end-": content[:-40]}.items():
                (self.folder / (kind + name)).write_bytes(part)
                kinds[kind + name] = None
        for name, content in {"empty.mp4": b"", "text.mp4": b"no video", "end.mp4": whole[:-40], "cut.mp4": whole[:200_000],
                              "noise.mp4": whole[:9_000] + bytes(9_000) + whole[18_000:], "head.mp4": whole[:600]}.items():
            (self.folder / name).write_bytes(content)
            kinds[name] = None
        ffmpeg("-f", "lavfi", "-i", "sine=d=1", self.folder / "sound.mp4")
        ffmpeg("-f", "lavfi", "-i", "color=s=64x64:d=0", self.folder / "none.mp4")
        for name in ("sound.mp4", "none.mp4", "missing.mp4"):
            kinds[name] = None
        paths = [str(self.folder / name) for name in kinds]
        for path, row in zip(paths, gestures(paths)):
            with self.subTest(path):
                ran = subprocess.run([*command, path], capture_output=True, text=True)
                said = [line for line in ran.stderr.splitlines() if line.startswith("gesture-bench: ")]
                error = row["error"]
                if ran.returncode == 0:
                    self.assertIsNone(error)
                else:
                    sentence = said[-1].removeprefix("gesture-bench: ").partition(" Give --")[0]
                    kind, _, own = error.partition(": ")
                    self.assertEqual(own.splitlines()[0], sentence)
                    kinds[pathlib.Path(path).name] = kind
                # Other versions of FFmpeg convert colours differently.
                self.assertEqual([(event["kind"], event["label"]) for event in row["events"]], [
                    (event["event"], event["label"]) for event in map(json.loads, ran.stdout.splitlines())])
        self.assertEqual({kind for kind in kinds.values() if kind},
                         {"CannotOpen", "CutOff", "FramesMissing", "NoVideo", "NotDecodable"})

    def test_a_damaged_part(self):
        """Only a part that reaches the damage has an error."""
        ffmpeg("-i", CLIP, "-c", "copy", self.folder / "whole.mkv")
        for whole, name in ((CLIP, "cut.mp4"), (self.folder / "whole.mkv", "cut.mkv")):
            path = self.folder / name
            path.write_bytes(whole.read_bytes()[:200_000])
            frame = daft.from_pydict({"path": [str(path)] * 3 + [str(whole)], "begin": [0.0, 2.0, 9.0, 9.0],
                                      "end": [5.0, 5.0, None, 30.0]})
            rows = frame.select(recognize_gestures(
                frame["path"], from_ts=frame["begin"], to_ts=frame["end"]).alias("found")).to_pydict()["found"]
            damaged = f"FramesMissing: {path} is cut off or damaged in the part that was asked for."
            self.assertEqual([row["error"] for row in rows], [None, None, damaged, None])

    def test_an_address_is_no_command_for_ffmpeg(self):
        row, = gestures([f"concat:{CLIP}|{CLIP}"])
        self.assertEqual(row["error"], f"CannotOpen: concat:{CLIP}|{CLIP} cannot be opened: No such file or directory.")

    def test_a_part_is_timed_from_its_beginning(self):
        frame = daft.from_pydict({"path": [str(CLIP)] * 3, "begin": [0.0, 9.0, 90.0], "end": [9.0, None, None]})
        rows = frame.select(recognize_gestures(
            frame["path"], from_ts=frame["begin"], to_ts=frame["end"]).alias("found")).to_pydict()["found"]
        log = [event for event in logged() if event["event"] == "begin"]
        self.assertEqual([row["frames"] for row in rows], [90, 82, 0])
        self.assertEqual(begins(rows[0]), [event["label"] for event in log if event["onset_s"] < 9])
        first = next(event for event in rows[1]["events"] if event["label"] == "swipeRight")
        whole = next(event for event in log if event["label"] == "swipeRight")
        self.assertAlmostEqual(first["onset"] + 9, whole["onset_s"], delta=0.05)
        self.assertIn("no frame", rows[2]["error"])

    def test_a_file_that_is_stored_turned(self):
        """ffmpeg sets the same files upright by itself, which tells that they are what they should be."""
        for angle, turn in {90: "transpose=clock", 180: "hflip,vflip", 270: "transpose=cclock"}.items():
            turned, tagged, upright = (self.folder / f"{name}{angle}.mp4" for name in ("turned", "tagged", "upright"))
            ffmpeg("-i", CLIP, "-vf", turn, "-c:v", "libx264", "-crf", 10, turned)
            ffmpeg("-i", turned, "-c", "copy", "-metadata:s:v", f"rotate={angle}", tagged)
            ffmpeg("-i", tagged, "-c:v", "libx264", "-crf", 10, upright)
            with av.open(str(upright)) as container:
                self.assertEqual(next(container.decode(video=0)).rotation, 0)
            first, second = gestures([str(tagged), str(upright)])
            self.assertEqual(begins(first)[:3], ["swipeDown", "swipeLeft", "grab"], angle)
            self.assertEqual(begins(second)[:3], ["swipeDown", "swipeLeft", "grab"], angle)

    def test_other_kinds_of_files(self):
        for name, arguments in {
                "odd.mkv": ("-vf", "scale=481:361", "-c:v", "ffv1", "-pix_fmt", "yuv420p"),
                "colour.mkv": ("-c:v", "ffv1", "-pix_fmt", "gbrp"),
                "deep.mp4": ("-c:v", "libx264", "-pix_fmt", "yuv422p10le", "-crf", 5),
                "full.mp4": ("-c:v", "libx264", "-pix_fmt", "yuvj420p", "-crf", 5),
                "late.ts": ("-c", "copy"), "bare.h264": ("-c", "copy")}.items():
            path = self.folder / name
            ffmpeg("-i", CLIP, *arguments, path)
            row, = gestures([str(path)])
            self.assertEqual((row["frames"], row["error"]), (FRAMES, None), name)
            # A bare stream has no times, and is taken for one of another rate.
            self.assertEqual(begins(row)[:2], ["swipeDown", "swipeLeft"], name)
            if name != "bare.h264":
                self.assertAlmostEqual(row["events"][0]["onset"], logged()[0]["onset_s"], delta=0.2, msg=name)

    def test_times_that_run_backward_are_an_error(self):
        worker = swift_gesture.daft._Clips(None, {})
        frames = swift_gesture.daft._frames

        def backward(*arguments):
            for index, (frame, time) in enumerate(frames(*arguments)):
                yield frame, time if index < 20 else 1 - index / 1000

        swift_gesture.daft._frames = backward
        try:
            row = worker._gestures(str(CLIP), None, None)
        finally:
            swift_gesture.daft._frames = frames
        self.assertIn("do not continue the clip", row["error"])
        self.assertEqual(row["frames"], 30)

    def test_options_reach_the_stream(self):
        row, = gestures([str(CLIP)], orientation=3)
        self.assertEqual(begins(row)[:2], ["swipeUp", "swipeRight"])
        row, = gestures([str(CLIP)], orientation=None, rate=None)
        self.assertEqual(lines(row["events"]), logged())

    def test_a_model_of_the_user(self):
        row, = gestures([str(CLIP)], model_path=ROOT / "Weights/hands/hand-gestures.safetensors")
        self.assertEqual(lines(row["events"]), logged())
        # What is wrong for every clip ends the work.
        with self.assertRaisesRegex(Exception, "missing.safetensors"):
            gestures([str(CLIP)], model_path=self.folder / "missing.safetensors")
        with self.assertRaises(swift_gesture.InvalidArgument):
            gestures([str(CLIP)], model_path=5)

    def test_two_workers_are_two_processes(self):
        class Placed(swift_gesture.daft._Clips):
            def _gestures(self, *clip):
                return {**super()._gestures(*clip), "error": str(os.getpid())}

        frame = daft.from_pydict({"path": [str(CLIP)] * 8})
        worker = daft.cls(Placed, max_concurrency=2)(None, {})
        rows = frame.select(worker.recognize(frame["path"], None, None).alias("found")).to_pydict()["found"]
        self.assertEqual(len({row["error"] for row in rows}), 2)
        for row in rows:
            self.assertEqual(lines(row["events"]), logged())


class TypeTests(unittest.TestCase):
    def test_every_call_is_annotated(self):
        for module in (swift_gesture.daft, swift_gesture._clip_faults):
            for owner in (module, *(kind for kind in vars(module).values() if inspect.isclass(kind))):
                for name, call in vars(owner).items():
                    if inspect.isfunction(call) and call.__module__ == module.__name__:
                        needed = set(inspect.signature(call).parameters) - {"self"} | {"return"}
                        self.assertLessEqual(needed, set(call.__annotations__), f"{owner.__name__}.{name}")


class PipelineTests(Folder):
    def test_the_example_of_the_readme(self):
        text = (ROOT / "Tools/bindings/python/README.md").read_text()
        code, = (block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "swift_gesture.daft" in block)
        (self.folder / "clips").mkdir()
        shutil.copy(CLIP, self.folder / "clips/good.mp4")
        (self.folder / "clips/bad.mp4").write_text("no video")
        # A program of its own, as a user's is.
        printed = subprocess.run(
            [sys.executable, "-c", code], cwd=self.folder, check=True, capture_output=True, text=True)
        self.assertIn("bad.mp4", printed.stdout)
        found = daft.read_parquet(f"{self.folder}/annotated").to_pydict()
        rows = dict(zip((path.rsplit("/")[-1] for path in found["path"]), found["events"]))
        self.assertEqual(lines(rows["good.mp4"]), logged())
        self.assertEqual(rows["bad.mp4"], [])

    def test_a_lerobot_data_set(self):
        """Two episodes in one file of version 3, as LeRobot packs them."""
        camera, root = "observation.image", self.folder / "set"
        for folder in ("meta/episodes/chunk-000", "data/chunk-000", f"videos/{camera}/chunk-000"):
            (root / folder).mkdir(parents=True)
        shutil.copy(CLIP, root / f"videos/{camera}/chunk-000/file-000.mp4")
        (root / "meta/info.json").write_text(json.dumps({
            "codebase_version": "v3.0", "fps": 10, "features": {camera: {"dtype": "video"}}}))
        daft.from_pydict({
            "episode_index": [0, 1], f"videos/{camera}/chunk_index": [0, 0], f"videos/{camera}/file_index": [0, 0],
            f"videos/{camera}/from_timestamp": [0.0, 9.0], f"videos/{camera}/to_timestamp": [9.0, 17.2],
        }).write_parquet(str(root / "meta/episodes/chunk-000"))
        video = f"videos/{camera}"
        episodes = lerobot.read_episodes(str(root), include_video_metadata=True)
        episodes = episodes.select("episode_index", recognize_gestures(
            episodes[f"{video}/video"], from_ts=episodes[f"{video}/from_timestamp"],
            to_ts=episodes[f"{video}/to_timestamp"]).alias("gestures"))
        episodes.write_parquet(str(self.folder / "annotated"))
        found = daft.read_parquet(str(self.folder / "annotated")).sort("episode_index").to_pydict()["gestures"]
        self.assertEqual([(row["frames"], row["error"]) for row in found], [(90, None), (82, None)])
        self.assertEqual(begins(found[0]), ["swipeDown", "swipeLeft", "grab"])
        self.assertIn("swipeRight", begins(found[1]))


class RayTests(Folder):
    """In a process of its own, because Daft sets its runner once a process."""

    def test_a_cluster_of_two_nodes(self):
        found = subprocess.run([sys.executable, __file__, "--cluster", self.folder], capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        rows = daft.read_parquet(str(self.folder / "annotated")).to_pydict()
        # Two partitions, and a worker on each node.
        self.assertEqual(len(set(rows["node"])), 2)
        for path, events, error in zip(rows["path"], rows["events"], rows["error"]):
            if path == str(CLIP):
                self.assertEqual((lines(events), error), (logged(), None))
            else:
                self.assertIn("CannotOpen", error)
        self.assertEqual(len(rows["path"]), 9)
        hands = daft.read_parquet(str(self.folder / "hands")).to_pydict()["hands"]
        self.assertEqual([len(row) for row in hands], [1] * 8)


def on_cluster(folder):
    class Placed(swift_gesture.daft._Clips):
        def _gestures(self, *clip):
            found = super()._gestures(*clip)
            node = ray.get_runtime_context().get_node_id()
            return {**found, "error": json.dumps([node, found["error"]])}

    cluster = Cluster()
    for _ in range(2):
        cluster.add_node(num_cpus=2, object_store_memory=200 << 20, include_dashboard=False)
    try:
        ray.init(address=cluster.address)
        assert sum(node["Alive"] for node in ray.nodes()) == 2
        daft.set_runner_ray(address=cluster.address, noop_if_initialized=True)
        clips = daft.from_pydict({"path": [str(CLIP)] * 8 + ["missing.mp4"]}).into_partitions(4)
        worker = daft.cls(Placed, max_concurrency=2)(None, {})
        rows = clips.select("path", worker.recognize(clips["path"], None, None).alias("found")).to_pydict()
        placed = [json.loads(row["error"]) for row in rows["found"]]
        # What the public function finds there, beside the node that the same work was done on.
        public = clips.select("path", unnest(recognize_gestures(clips["path"], max_concurrency=2)))
        public = public.to_pydict()
        assert sorted(map(len, public["events"])) == sorted(len(row["events"]) for row in rows["found"])
        daft.from_pydict({
            "path": rows["path"], "events": [row["events"] for row in rows["found"]],
            "node": [node for node, _ in placed], "error": [error for _, error in placed],
        }).write_parquet(f"{folder}/annotated")
        frame = column(images()[20:28]).into_partitions(2)
        frame.select(recognize_hands(frame["image"], max_concurrency=2).alias("hands")).write_parquet(f"{folder}/hands")
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    on_cluster(sys.argv[2])
