"""The movements of a hand as a timeline of bones, position, size and angles: gestures and everything else.

Units: TICK samples a second; x and y in heights of the frame, sizes (`ls`, its logarithm) are the palm's (`features`: s) in heights of the frame,
angles are radians (roll clockwise as seen by the camera; pitch turns the fingers towards the camera, yaw the hand about its length).

A moment has one label. Each label of a movement lasts at least HOLD seconds. Moments without one of these labels are null:
- swipe: from 7 to 96 % of the way. Preparation and retraction are null.
- grab, zoomIn, zoomOut: from 25 % of the articulation to 100 ms after its end. If the hand stays as it is, the label lasts on, up to 300 ms for a
  grab and 200 ms for a zoom.
- tap: from 30 % of the way down to 70 ms after the return.
- openPalm, point, thumbsUp, thumbsDown: see `truth.still`.

`also` has a bit for every other class that is equally correct at a moment:
- just before and after a gesture, both the gesture and null are correct;
- for a hand nearly at rest, its pose is also correct;
- for a movement that looks like a gesture, that gesture is also correct;
- where a window cannot decide, every class is correct (ANY).
"""

from common.labels import INDEX, NULL

from .classes import ANY, OPEN, POSES, SWIPES, TICK, bits
from .fingers import Fingers
from .null import NullScript
from .shapes import Shapes, blend, flex, openness
from .strokes import Strokes
from .truth import runs

__all__ = ["ANY", "OPEN", "POSES", "SWIPES", "TICK", "Shapes", "Track", "bits", "blend", "flex", "openness", "runs", "write"]


class Track(Strokes, Fingers, NullScript):
    """A hand that plays gestures and everything else."""

    def gesture(self, name):
        self.note(name)
        if name in SWIPES:
            self.swipe(name)
        elif name in ("zoomIn", "zoomOut"):
            self.zoom(name)
        else:
            {"grab": self.grab, "tap": self.tap, "openPalm": self.palm, "point": self.point, "thumbsUp": self.thumb, "thumbsDown": self.thumb}[name](name)


def write(rng, shapes, seconds, wanted=None, null_share=0.5, lead=0.3):
    """A clip of `seconds` -> (dict of `finish` with `aspect`, events [(class, first tick, end tick)]).

    wanted: a label that comes first, after about `lead` seconds; more are drawn uniformly. "null": no gestures at all.
    """
    aspect = float(rng.choice([4 / 3, 16 / 9, 16 / 9, 3 / 4, 1.0], p=[0.36, 0.3, 0.26, 0.05, 0.03]))
    track = Track(rng, shapes, aspect)
    names = [n for n in INDEX if n != "null"]
    if wanted is None:
        wanted = str(rng.choice(names))
    if rng.random() < 0.8:
        while track.ticks < lead * TICK:
            track.nothing()
    if wanted != "null":
        track.gesture(wanted)
    while track.ticks < seconds * TICK:
        if wanted == "null" or rng.random() < null_share:
            track.nothing()
        else:
            track.gesture(str(rng.choice(names)))
    out = track.finish(seconds)
    out["also"] |= 1 << out["label"]
    events = [(c, a, b) for a, b, c in runs(out["label"]) if c != NULL and (b - a >= 0.3 * TICK or c not in POSES)]
    return out | {"aspect": aspect, "notes": track.notes}, events
