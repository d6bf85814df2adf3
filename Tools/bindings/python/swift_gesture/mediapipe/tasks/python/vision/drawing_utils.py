"""Draws points and lines with the colours and sizes of MediaPipe: into images by OpenCV, in space by Matplotlib."""
import dataclasses
import math
from typing import Any, Iterable, List, Mapping, Optional, Tuple, Union

import numpy

from swift_gesture._library import FrameError, InvalidArgument
from swift_gesture.mediapipe.tasks.python.vision._connections import Connection

# Blue, green, red.
WHITE_COLOR = (224, 224, 224)
BLACK_COLOR = (0, 0, 0)
RED_COLOR = (0, 0, 255)
GREEN_COLOR = (0, 128, 0)
BLUE_COLOR = (255, 0, 0)

# A point below it is not drawn.
_LEAST_SCORE = 0.5


@dataclasses.dataclass
class DrawingSpec:
    """How a point or a line looks: blue, green and red, and pixels. A negative thickness fills a point."""

    color: Tuple[int, int, int] = WHITE_COLOR
    thickness: int = 2
    circle_radius: int = 2


def draw_landmarks(
        image: numpy.ndarray, landmark_list: Any,
        connections: Optional[Iterable[Union[Tuple[int, int], Connection]]] = None,
        landmark_drawing_spec: Optional[Union[DrawingSpec, Mapping[int, DrawingSpec]]] = DrawingSpec(color=RED_COLOR),
        connection_drawing_spec: Optional[
            Union[DrawingSpec, Mapping[Tuple[int, int], DrawingSpec]]] = DrawingSpec(),
        is_drawing_landmarks: bool = True) -> None:
    """Draws the points of a hand or a body, and lines between them.

    image:         three channels of uint8, which are changed.
    landmark_list: a list of points, or a message with such a list as `landmark`. Points outside of the image, and those
                   whose visibility or presence is below 0.5, are left out with their lines.
    connections:   pairs of numbers, or Connections.
    The looks are one for all, or one for each number or pair; None draws no points or no lines.
    Raises ValueError for an image or a line that cannot be used.
    """
    points = _points(landmark_list)
    if not points:
        return
    if image.ndim != 3 or image.shape[2] != 3:
        raise FrameError(f"An image to draw into has three channels; this array has the shape {image.shape}.")
    import cv2
    places = {}
    for index, point in enumerate(points):
        place = _normalized_to_pixel_coordinates(point.x, point.y, image.shape[1], image.shape[0])
        if place is not None and _is_visible(point):
            places[index] = place
    for start, end in _lines(connections, len(points)):
        if connection_drawing_spec is not None and start in places and end in places:
            look = (connection_drawing_spec[(start, end)] if isinstance(connection_drawing_spec, Mapping)
                    else connection_drawing_spec)
            cv2.line(image, places[start], places[end], look.color, look.thickness)
    if landmark_drawing_spec is None or not is_drawing_landmarks:
        return
    for index, place in places.items():
        look = landmark_drawing_spec[index] if isinstance(landmark_drawing_spec, Mapping) else landmark_drawing_spec
        # A white edge, then the point.
        cv2.circle(image, place, max(look.circle_radius + 1, int(look.circle_radius * 1.2)), WHITE_COLOR, look.thickness)
        cv2.circle(image, place, look.circle_radius, look.color, look.thickness)


def plot_landmarks(
        landmark_list: Any, connections: Optional[Iterable[Union[Tuple[int, int], Connection]]] = None,
        landmark_drawing_spec: DrawingSpec = DrawingSpec(color=RED_COLOR, thickness=5),
        connection_drawing_spec: DrawingSpec = DrawingSpec(color=BLACK_COLOR, thickness=5),
        elevation: int = 10, azimuth: int = 10) -> None:
    """Shows the points of a hand or a body, and lines between them, in a window of Matplotlib.

    landmark_list, connections: as for draw_landmarks; points whose visibility or presence is below 0.5 are left out.
    elevation, azimuth:         where they are looked at from, in degrees.
    Raises ValueError for a line whose points do not exist.
    """
    points = _points(landmark_list)
    if not points:
        return
    from matplotlib import pyplot
    pyplot.figure(figsize=(10, 10))
    axes: Any = pyplot.axes(projection="3d")
    axes.view_init(elev=elevation, azim=azimuth)
    # The image's height points up, and its depth to the viewer.
    places = {index: (-point.z, point.x, -point.y) for index, point in enumerate(points) if _is_visible(point)}

    def color(look: DrawingSpec) -> Tuple[float, ...]:
        return tuple(share / 255 for share in reversed(look.color))

    for x, y, z in places.values():
        axes.scatter3D([x], [y], [z], color=color(landmark_drawing_spec), linewidth=landmark_drawing_spec.thickness)
    for start, end in _lines(connections, len(points)):
        if start in places and end in places:
            axes.plot3D(*zip(places[start], places[end]), color=color(connection_drawing_spec),
                        linewidth=connection_drawing_spec.thickness)
    pyplot.show()


def _points(landmark_list: Any) -> List[Any]:
    return list(getattr(landmark_list, "landmark", landmark_list) or ())


def _lines(connections: Any, count: int) -> Iterable[Tuple[int, int]]:
    """Pairs of the numbers of existing points."""
    for connection in connections or ():
        start, end = (connection.start, connection.end) if isinstance(connection, Connection) else connection
        if not (0 <= start < count and 0 <= end < count):
            raise InvalidArgument(f"Landmark index is out of range: a line goes from point {start} to point {end}, "
                                  f"and there are {count}.")
        yield start, end


def _is_visible(point: Any) -> bool:
    return _score(point, "visibility") >= _LEAST_SCORE <= _score(point, "presence")


def _score(point: Any, name: str) -> float:
    """1 for a point that has no such score."""
    if hasattr(point, "HasField") and not point.HasField(name):
        return 1
    value = getattr(point, name, None)
    return 1 if value is None else value


def _normalized_to_pixel_coordinates(
        normalized_x: float, normalized_y: float, image_width: int, image_height: int) -> Optional[Tuple[int, int]]:
    """The pixel of a point in shares of the image; None outside of it. Scripts call it by this name."""
    if not all(0 <= share <= 1 or math.isclose(share, 1) for share in (normalized_x, normalized_y)):
        return None
    return (min(math.floor(normalized_x * image_width), image_width - 1),
            min(math.floor(normalized_y * image_height), image_height - 1))
