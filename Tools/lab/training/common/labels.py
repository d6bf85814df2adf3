"""The classes, in the order of the network's logits. Directions are those in the stored frame."""

LABELS = (
    "swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap",
    "point", "openPalm", "thumbsUp", "thumbsDown", "null",
)
INDEX = {name: i for i, name in enumerate(LABELS)}
NULL = INDEX["null"]
CLASSES = len(LABELS)
WINDOW = 16  # frames that a row of logits covers

# The gesture that the return movement of a gesture looks like.
BACK = {"swipeLeft": "swipeRight", "swipeRight": "swipeLeft", "swipeUp": "swipeDown", "swipeDown": "swipeUp", "zoomIn": "zoomOut", "zoomOut": "zoomIn"}

# The class of a left-right mirrored frame.
MIRRORED = tuple(
    INDEX[{"swipeLeft": "swipeRight", "swipeRight": "swipeLeft"}.get(name, name)] for name in LABELS
)
