"""The orientation that an image file states, read here so that it is the same with every decoder."""
import struct

import numpy

_TAG = 0x0112
# By the quarter turns counterclockwise, and the mirror that follows: 0 swaps top and bottom, 1 left and right.
_TURNS = {(0, None): 1, (0, 1): 2, (0, 0): 4, (1, None): 8, (1, 1): 7, (1, 0): 5, (2, None): 3, (2, 1): 4, (2, 0): 2,
          (3, None): 6, (3, 1): 5, (3, 0): 7}


def of_file(content: bytes) -> int:
    """1 to 8 as in EXIF; 1 for a file that is damaged, has none, or is no JPEG, PNG, WebP or AVIF."""
    try:
        if content[4:8] == b"ftyp":
            return _orientation_of_avif(content)
        block = _exif(content)
        return 1 if block is None else _orientation(block)
    except (struct.error, IndexError):
        return 1


def upright(pixels: numpy.ndarray, orientation: int) -> numpy.ndarray:
    """An array of rows as it is to be seen, with its bytes in a row."""
    if orientation in (5, 6, 7, 8):
        pixels = pixels.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return numpy.ascontiguousarray(pixels)


def _exif(content):
    """The TIFF structure with the tags; None without one."""
    if content.startswith(b"\xff\xd8"):
        return _exif_of_jpeg(content)
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return _chunk(content, 8, b"eXIf", ">I4s", padding=4)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        block = _chunk(content, 12, b"EXIF", "<4sI")
        # Some writers keep the name that JPEG has before the structure.
        return block[6:] if block is not None and block.startswith(b"Exif\0\0") else block
    return None


def _exif_of_jpeg(content):
    place = 2
    while place + 4 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        # The image's data begin: tags come before them.
        if marker in (0xDA, 0xD9):
            return None
        size, = struct.unpack_from(">H", content, place + 2)
        if marker == 0xE1 and content[place + 4:place + 10] == b"Exif\0\0":
            return content[place + 10:place + 2 + size]
        place += 2 + size
    return None


def _chunk(content, place, name, header, padding=0):
    """The content of the first chunk of a name. `padding` bytes follow each chunk in PNG; WebP's have even sizes."""
    while place + 8 <= len(content):
        found = struct.unpack_from(header, content, place)
        kind, size = found if header.startswith("<") else found[::-1]
        if kind == name:
            return content[place + 8:place + 8 + size]
        place += 8 + size + (padding if padding else size % 2)
    return None


def _orientation_of_avif(content):
    """By the properties of the primary item: other items are depth maps, thumbnails or parts of a grid."""
    meta = _box(content, 0, len(content), b"meta")
    if meta is None:
        return 1
    # `meta` and the boxes of lists have a version, flags and then their content.
    primary = _box(content, meta[0] + 4, meta[1], b"pitm")
    properties = _box(content, meta[0] + 4, meta[1], b"iprp")
    container = properties and _box(content, *properties, b"ipco")
    if primary is None or container is None:
        return 1
    item, = struct.unpack_from(">H" if content[primary[0]] == 0 else ">I", content, primary[0] + 4)
    known = list(_boxes(content, *container))
    turn, axis = 0, None
    for index in _properties_of_item(content, properties, item):
        name, start, end = known[index - 1] if 1 <= index <= len(known) else (None, 0, 0)
        if start < end and name == b"irot":
            turn = content[start] & 3
        elif start < end and name == b"imir":
            axis = content[start] & 1
    return _TURNS[turn, axis]


def _properties_of_item(content, properties, item):
    """Their numbers, from 1 (ISO 23008-12, 9.3.2)."""
    for name, place, _ in _boxes(content, *properties):
        if name != b"ipma":
            continue
        version, wide = content[place], content[place + 3] & 1
        entries, = struct.unpack_from(">I", content, place + 4)
        place += 8
        for _ in range(entries):
            owner, count = struct.unpack_from(">IB" if version else ">HB", content, place)
            place += 5 if version else 3
            # The highest bit marks a property as essential.
            indices = struct.unpack_from(f">{count}{'H' if wide else 'B'}", content, place)
            place += count * (2 if wide else 1)
            if owner == item:
                return [index & (0x7FFF if wide else 0x7F) for index in indices]
    return []


def _box(content, place, end, name):
    """Where the content of the first box of a name begins and ends; None without one."""
    return next((box[1:] for box in _boxes(content, place, end) if box[0] == name), None)


def _boxes(content, place, end):
    """The name of each box in a range, and where its content begins and ends."""
    while place + 8 <= end:
        size, name = struct.unpack_from(">I4s", content, place)
        # 0 and 1 are sizes of boxes with pixels.
        if size < 8 or place + size > end:
            return
        yield name, place + 8, place + size
        place += size


def _orientation(block):
    order = {b"II": "<", b"MM": ">"}.get(block[:2])
    if order is None:
        return 1
    first, = struct.unpack_from(order + "I", block, 4)
    count, = struct.unpack_from(order + "H", block, first)
    for index in range(count):
        tag, _, _, value = struct.unpack_from(order + "HHIH", block, first + 2 + 12 * index)
        if tag == _TAG:
            return value if 1 <= value <= 8 else 1
    return 1
