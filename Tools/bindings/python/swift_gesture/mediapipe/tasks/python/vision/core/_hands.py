"""What the tasks of hands have in common."""
from typing import Any, ClassVar, List, Sequence, Tuple, TypeVar

import numpy

from swift_gesture import _arguments
from swift_gesture.engine import Engine, Hand, HandTracker
from swift_gesture.mediapipe.tasks.python.components.containers.category import Category
from swift_gesture.mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.vision.core import _models
from swift_gesture.mediapipe.tasks.python.vision.core._task import Task, confidence, count, normalized, world
from swift_gesture.mediapipe.tasks.python.vision.core.image import Image

_Options = TypeVar("_Options")
_Result = TypeVar("_Result")


class HandTask(Task[_Options, _Result]):
    """A task that finds hands."""

    # Of the bundle.
    _networks: ClassVar[Sequence[str]]

    def __init__(self, options: _Options) -> None:
        _arguments.instance("options", options, self._options)
        tracking = {
            "maximum_hands": count(options, "num_hands"),
            "minimum_palm_score": confidence(options, "min_hand_detection_confidence"),
            "minimum_presence": confidence(options, "min_hand_presence_confidence")}
        confidence(options, "min_tracking_confidence")
        self._models = _models.read(options.base_options, self._networks, "a " + type(self).__name__)
        super().__init__(options, Engine(hands_folder=self._models.folder), tracking)

    def _make_tracker(self, **options: Any) -> HandTracker:
        return self._engine.hand_tracker(**options)

    def _still(self, pixels: numpy.ndarray, **options: Any) -> List[Hand]:
        return self._engine.recognize_hands(pixels, **options)

    def _parts(self, hands: List[Hand], image: Image, rotation: int) -> Tuple[
            List[List[Category]], List[List[NormalizedLandmark]], List[List[Landmark]]]:
        """Handedness, points and points in metres. As in MediaPipe's results, they are those of the stored image."""
        return ([[_handedness(hand)] for hand in hands],
                [normalized(hand.landmarks, image, rotation) for hand in hands],
                [world(hand.world_landmarks, rotation) for hand in hands])


def _handedness(hand: Hand) -> Category:
    """MediaPipe's tasks number the right hand 0 and the left one 1."""
    right = hand.right_handedness >= 0.5
    name = "Right" if right else "Left"
    return Category(index=0 if right else 1, score=hand.right_handedness if right else 1 - hand.right_handedness,
                    display_name=name, category_name=name)
