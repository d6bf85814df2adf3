"""The classes, in the order of the network's logits. Directions are image space: as the stored frame shows them."""

LABELS = (
    "swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap",
    "point", "openPalm", "thumbsUp", "thumbsDown", "null",
)
INDEX = {name: i for i, name in enumerate(LABELS)}
NULL = INDEX["null"]
CLASSES = len(LABELS)
WINDOW = 16  # frames that a row of logits is about

# What the way back of a gesture looks like.
BACK = {"swipeLeft": "swipeRight", "swipeRight": "swipeLeft", "swipeUp": "swipeDown", "swipeDown": "swipeUp", "zoomIn": "zoomOut", "zoomOut": "zoomIn"}

# The class that a left-right mirrored frame shows.
MIRRORED = tuple(
    INDEX[{"swipeLeft": "swipeRight", "swipeRight": "swipeLeft"}.get(name, name)] for name in LABELS
)
