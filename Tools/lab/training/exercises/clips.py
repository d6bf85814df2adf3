"""The clips: who does what, seen from where; and their films."""

import dataclasses
import subprocess

import cv2
import numpy as np

from .body import JOINTS, Rig, turn
from .look import Camera, Look
from .motions import Motion
from .room import Room

RATE = 30  # frames a second


@dataclasses.dataclass(frozen=True)
class Clip:
    """yaw: degrees that the body is turned to its left; tempo: seconds a repetition; share: of the picture's height."""

    name: str
    activity: str
    seed: int
    seconds: float
    yaw: float
    tempo: float
    share: float
    skin: int
    dark: bool
    size: tuple = (640, 480)
    lens: float = 1.2  # metres above the floor


CLIPS = (
    Clip("squat-front", "squat", 1, 16, 8, 2.2, 0.80, 1, False),
    Clip("squat-side", "squat", 2, 18, 78, 2.8, 0.82, 3, True),
    Clip("squat-side-quick", "squat", 3, 14, -86, 1.5, 0.55, 0, True, (960, 540)),
    Clip("squat-small", "squat", 4, 16, -20, 2.0, 0.34, 2, False),
    Clip("jacks-front", "jumping-jacks", 5, 14, 0, 1.2, 0.70, 0, False),
    Clip("jacks-quick", "jumping-jacks", 6, 12, -12, 0.85, 0.60, 4, False, (480, 640)),
    Clip("jacks-slow-small", "jumping-jacks", 7, 18, 10, 1.9, 0.40, 2, True),
    Clip("punches-front", "punches", 8, 14, 10, 0.65, 0.9, 1, True),
    Clip("punches-quick", "punches", 9, 12, -25, 0.45, 0.70, 3, False, (640, 480), 1.5),
    Clip("punches-slow", "punches", 10, 16, 25, 1.0, 0.50, 0, False, (960, 540)),
    Clip("punches-side", "punches", 13, 14, 70, 0.65, 0.85, 2, True),
    Clip("punches-side-quick", "punches", 14, 12, -75, 0.45, 0.65, 4, False, (640, 480), 1.5),
    Clip("punches-side-slow", "punches", 15, 16, -60, 1.0, 0.50, 1, False, (960, 540)),
    Clip("lunge-front", "lunge", 16, 18, 0, 2.6, 0.70, 1, False),
    Clip("lunge-front-quick", "lunge", 17, 14, -14, 1.6, 0.62, 3, True, (960, 540)),
    Clip("lunge-front-tall", "lunge", 18, 18, 10, 2.2, 0.60, 0, True, (480, 640)),
    Clip("lunge-back", "lunge", 23, 16, 172, 2.2, 0.70, 2, False),
    Clip("lunge-half", "lunge", 19, 16, 45, 2.2, 0.70, 2, False),
    Clip("lunge-side", "lunge", 20, 16, 82, 2.4, 0.75, 4, False),
    Clip("lunge-side-quick", "lunge", 21, 14, -88, 1.6, 0.60, 1, True, (960, 540)),
    Clip("side-lunge-front", "side-lunge", 28, 16, 0, 2.4, 0.70, 1, False),
    Clip("side-lunge-quick", "side-lunge", 29, 14, -12, 1.4, 0.60, 3, True, (960, 540)),
    Clip("side-lunge-turned", "side-lunge", 30, 16, 26, 2.2, 0.65, 0, False, (480, 640)),
    Clip("side-lunge-back", "side-lunge", 31, 16, 176, 2.2, 0.70, 2, True),
    Clip("sit-up-side", "sit-up", 22, 18, 90, 2.6, 0.75, 1, False),
    Clip("sit-up-side-quick", "sit-up", 24, 14, -84, 1.5, 0.65, 3, True, (960, 540)),
    Clip("sit-up-half", "sit-up", 25, 16, 62, 2.2, 0.75, 0, False),
    Clip("sit-up-slow", "sit-up", 26, 20, -98, 3.6, 0.55, 4, True),
    Clip("sit-up-low", "sit-up", 27, 16, 88, 2.0, 0.85, 2, False, (640, 480), 0.5),
    Clip("null-front", "null", 11, 20, 0, 1.0, 0.80, 1, True),
    Clip("null-side", "null", 12, 20, 60, 1.0, 0.60, 4, False),
)


class Film:
    """Frames of a clip, and where its joints are in them."""

    def __init__(self, clip, body):
        self.clip = clip
        self.rig = Rig(body, clip.seed)
        self.motion = Motion(self.rig, clip.activity, clip.seed, clip.seconds, clip.tempo)
        self.look = Look(self.rig, clip.seed, clip.skin, clip.dark)
        rng = np.random.default_rng([15, clip.seed])
        self.camera = Camera(clip.size, clip.share, self.rig.height, clip.lens, aside=rng.uniform(-0.06, 0.06),
                             middle=0.52 if clip.share < 0.75 else 0.5)
        self.room = Room(self.camera, clip.seed)
        self.grain = rng.normal(0, rng.uniform(1.0, 3.0), (*clip.size[::-1], 3)).astype(np.float32)
        self.blur = rng.uniform(0.4, 0.8)

    @property
    def frames(self):
        return round(self.clip.seconds * RATE)

    def frame(self, index):
        """-> uint8 [H,W,3] red, green, blue; joints float32 [12,2] as shares of width and height, in the order of `JOINTS`."""
        pose = self.motion.pose(index / RATE)
        vertices, joints = self.rig.pose(pose, self.look.rest)
        to_room = turn(1, self.clip.yaw)
        centre = self.rig.hips * (1, 0, 1)
        vertices, places = (vertices - centre) @ to_room.T, {k: to_room @ (v - centre) for k, v in joints.items()}
        picture = self.room.shaded([places["left_ankle"], places["right_ankle"]], (places["left_hip"] + places["right_hip"]) / 2)
        self.look.draw(picture, vertices, self.camera)
        # The sensor's noise moves from frame to frame.
        grain = np.roll(self.grain, (index * 37 % 101, index * 53 % 97), (0, 1))
        picture = np.clip(cv2.GaussianBlur(picture, (0, 0), self.blur) + grain, 0, 255).astype(np.uint8)
        flat, _ = self.camera.project(np.array([places[name] for name in JOINTS]))
        return picture, (flat / self.clip.size).astype(np.float32)

    def truth(self):
        """What the truth file has of this clip."""
        clip = self.clip
        return {"clip": f"{clip.name}.mp4", "activity": clip.activity, "frames": self.frames, "rate_hz": RATE,
                "width": clip.size[0], "height": clip.size[1], "yaw_degrees": clip.yaw, "share_of_height": clip.share, "seed": clip.seed,
                "repetitions": self.motion.truth()}


def write(film, path, crf=27):
    """The film as H.264; -> joints float32 [T,12,2] of its frames."""
    width, height = film.clip.size
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(RATE),
               "-i", "-", "-c:v", "libx264", "-preset", "medium", "-crf", str(crf), "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               "-threads", "1", "-bitexact", str(path)]
    joints = []
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for k in range(film.frames):
            picture, places = film.frame(k)
            process.stdin.write(picture.tobytes())
            joints.append(places)
        process.stdin.close()
    if process.returncode:
        raise RuntimeError(f"ffmpeg failed on {path}")
    return np.array(joints)
