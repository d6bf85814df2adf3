"""MediaPipe's gesture recognizer, by this engine's hands and poses."""
import dataclasses
from typing import Callable, List, Optional, Tuple

from swift_gesture import _arguments
from swift_gesture._library import InvalidArgument
from swift_gesture.engine import Hand
from swift_gesture.mediapipe.tasks.python.components.containers.category import Category
from swift_gesture.mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.components.processors.classifier_options import ClassifierOptions
from swift_gesture.mediapipe.tasks.python.core.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.vision.core._hands import HandTask
from swift_gesture.mediapipe.tasks.python.vision.core.image import Image
from swift_gesture.mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions
from swift_gesture.mediapipe.tasks.python.vision.core.vision_task_running_mode import VisionTaskRunningMode

# The category of a hand that shows none of the classifier's gestures.
_BACKGROUND = "None"


@dataclasses.dataclass
class GestureRecognizerResult:
    """An element for each hand. Landmarks are those of the image as it is stored, whatever its rotation."""

    gestures: List[List[Category]]
    handedness: List[List[Category]]
    hand_landmarks: List[List[NormalizedLandmark]]
    hand_world_landmarks: List[List[Landmark]]


@dataclasses.dataclass
class GestureRecognizerOptions:
    """MediaPipe's options.

    num_hands is 1 to 4. Confidences below 0.01 and above 0.99 count as these. min_tracking_confidence has no effect: a
    hand is tracked as long as its presence is above min_hand_presence_confidence. Custom gestures are those of the
    classifier that the model's bundle has for them. Options of gestures have two spellings; one of them is given.
    """

    base_options: BaseOptions = dataclasses.field(default_factory=BaseOptions)
    running_mode: VisionTaskRunningMode = VisionTaskRunningMode.IMAGE
    num_hands: int = 1
    min_hand_detection_confidence: float = 0.5
    min_hand_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    canned_gesture_classifier_options: Optional[ClassifierOptions] = None
    custom_gesture_classifier_options: Optional[ClassifierOptions] = None
    result_callback: Optional[Callable[[GestureRecognizerResult, Image, int], None]] = None
    canned_gestures_classifier_options: Optional[ClassifierOptions] = None
    custom_gestures_classifier_options: Optional[ClassifierOptions] = None


class GestureRecognizer(HandTask[GestureRecognizerOptions, GestureRecognizerResult]):
    """Recognises the poses of hands in images."""

    _options, _kind, _thread = GestureRecognizerOptions, "recognizer", "gesture-recognizer"
    _networks = ("hand_detector.tflite", "hand_landmarks_detector.tflite", "gesture_embedder.tflite",
                 "canned_gesture_classifier.tflite")

    def __init__(self, options: GestureRecognizerOptions) -> None:
        _arguments.instance("options", options, GestureRecognizerOptions)
        self._canned = _classifier(options, "canned")
        self._custom = _classifier(options, "custom")
        super().__init__(options)

    def recognize(self, image: Image,
                  image_processing_options: Optional[ImageProcessingOptions] = None) -> GestureRecognizerResult:
        """The hands of a still image, in the image mode."""
        return self._of_image(image, image_processing_options)

    def recognize_for_video(
            self, image: Image, timestamp_ms: int,
            image_processing_options: Optional[ImageProcessingOptions] = None) -> GestureRecognizerResult:
        """The hands of a video's next frame, in the video mode. Timestamps must increase."""
        return self._of_video(image, timestamp_ms, image_processing_options)

    def recognize_async(self, image: Image, timestamp_ms: int,
                        image_processing_options: Optional[ImageProcessingOptions] = None) -> None:
        """Hands a camera's frame over, in the live stream mode. Timestamps must increase.

        The callback gets result, image and timestamp in a thread of the recogniser. A frame that still waits when the
        next one comes is dropped.
        """
        self._of_stream(image, timestamp_ms, image_processing_options)

    def _result(self, found: List[Hand], image: Image, rotation: int) -> GestureRecognizerResult:
        return GestureRecognizerResult([[self._gesture(hand)] for hand in found], *self._parts(found, image, rotation))

    def _gesture(self, hand: Hand) -> Category:
        """The best custom gesture; where it is "None", or the options let none through, the best canned one.

        Where that is "None", too, it has the score of the first classifier that says so.
        """
        lists = [_passed(list(hand.pose_scores.items()), self._canned, None)]
        custom = self._models.classifier
        if custom is not None:
            scores = zip(custom.labels, custom.scores(hand.embedding).tolist())
            lists.insert(0, _passed(list(scores), self._custom, custom.score_threshold))
        # The first of equal ones.
        best = [max(scores, key=lambda pair: pair[1]) for scores in lists if scores]
        gestures = [pair for pair in best if pair[0] != _BACKGROUND]
        name, score = (gestures or best or [(_BACKGROUND, hand.pose_scores[_BACKGROUND])])[0]
        return Category(index=-1, score=score, display_name="", category_name=name)


def _passed(scores: List[Tuple[str, float]], options: ClassifierOptions, threshold: Optional[float]) -> List[
        Tuple[str, float]]:
    """The categories that the options let through. Names that the classifier does not have do not count.

    threshold: the classifier's own, which the options replace.
    """
    names = {name for name, _ in scores}
    allowed = names.intersection(options.category_allowlist or ()) or names
    denied = set(options.category_denylist or ())
    least = options.score_threshold if options.score_threshold is not None else threshold
    return [(name, score) for name, score in scores
            if score >= (least or 0) and name in allowed and name not in denied]


def _classifier(options: GestureRecognizerOptions, kind: str) -> ClassifierOptions:
    """The options of canned or custom gestures, of whichever spelling."""
    names = [f"{kind}_{spelling}_classifier_options" for spelling in ("gesture", "gestures")]
    given = [name for name in names if getattr(options, name) is not None]
    if len(given) == 2:
        raise InvalidArgument(f"{names[0]} and {names[1]} are the same; give one of them.")
    if not given:
        return ClassifierOptions()
    return _checked(_arguments.instance(given[0], getattr(options, given[0]), ClassifierOptions))


def _checked(options: ClassifierOptions) -> ClassifierOptions:
    """Checks which categories are reported."""
    if options.score_threshold is not None:
        _arguments.number("score_threshold", options.score_threshold, "a number, or None")
    for name in ("category_allowlist", "category_denylist"):
        names = getattr(options, name)
        if names is not None and not (
                isinstance(names, (list, tuple, set)) and all(isinstance(found, str) for found in names)):
            _arguments.refuse(name, names, "a list of texts, or None")
    if options.category_allowlist and options.category_denylist:
        raise InvalidArgument("category_allowlist and category_denylist exclude each other.")
    return options
