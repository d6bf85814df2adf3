"""What is wrong with a clip: the judgement of `gesture-bench replay`, and its sentences."""
import array
import os
import statistics
from typing import Any, BinaryIO, Iterator, List, NamedTuple, Optional

import av

from ._library import GestureError

# As FFmpeg names them: streams of a codec alone, which have no times, and formats that do not state their length.
_WITHOUT_LENGTH = ("h264", "hevc", "ivf", "m4v", "mjpeg", "mpeg", "mpegts", "mpegvideo", "obu")
# Sizes of a transport stream's packet: alone, after a time of four bytes (Blu-ray), before error correction (DVB).
_PACKETS = (188, 192, 204)
_SYNC_BYTE = 0x47
# The smallest number of distances between frames that determines a rate.
_LEAST_DISTANCES = 8


class ClipError(GestureError):
    """A clip cannot be read, or not to its end."""


class CannotOpen(ClipError):
    """There is no such file, or it may not be read."""


class NotDecodable(ClipError):
    """The file has no format that is read, or its header is damaged."""


class NoVideo(ClipError):
    """The file has sound, subtitles or data alone, or a video without a frame."""


class Empty(ClipError):
    """There is no frame in the clip, or in the part of it that was asked for."""


class FramesMissing(ClipError):
    """The clip was read to its end and has fewer frames than it states."""


class CutOff(ClipError):
    """The clip was read to its end and ends inside its last frame."""


class _Claim(NamedTuple):
    """The container's statement about the length of its video."""

    # To the end of the last frame.
    seconds: float
    # Of shown frames; None if the container does not state it.
    frames: Optional[int] = None
    # Whether the seconds count from the file's zero instead of the first frame.
    is_from_zero: bool = False
    # Whether the end may be after the video's: that of the longest stream, or of an edit list.
    is_loose: bool = False
    # Whether the seconds come from a count of frames.
    is_counted: bool = False


class Clip:
    """An open clip whose frames are counted while they are read.

    name: what sentences call it.
    file: its content, from the beginning.
    Raises ClipError where there is nothing to read.
    """

    def __init__(self, name: str, file: BinaryIO) -> None:
        self.name = name
        start = file.read(5 * max(_PACKETS))
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if not start:
            raise NotDecodable(f"{name} is an empty file, from which no frames are read.")
        if _is_text(start):
            raise NotDecodable(f"{name} is a text, from which no frames are read.")
        self._file = file
        self._open()
        self._has_partial_packet = self._format == "mpegts" and _ends_in_packet(start, size)
        self._times = array.array("d")
        self._last: Any = None
        # Whether packets were lost, and whether anything was complained about.
        self._lost = self._complained = False
        self._reached_end = self._is_part = False

    def _open(self) -> None:
        if av.logging.get_level() is None:
            av.logging.set_level(av.logging.ERROR)
        try:
            with av.logging.Capture(local=True):
                self._container: Any = av.open(self._file)
        except av.error.FFmpegError as error:
            raise NotDecodable(f"{self.name} could not be decoded.\n  {error.strerror}") from error
        self._format: str = self._container.format.name
        self.video: Any = self._container.streams.best("video")
        if self.video is None or not (self.video.codec_context.width and self.video.codec_context.height):
            self.close()
            raise NoVideo(f"{self.name} has no video.")
        self.rate = float(self.video.average_rate or self.video.guessed_rate or 30)
        # The workers are what runs side by side.
        self.video.codec_context.thread_count = 1

    def close(self) -> None:
        self._container.close()

    def frames(self, start: Optional[float]) -> Iterator[Any]:
        """The frames from the key frame before a time on; from the first one for None. A damaged packet is left out."""
        self._is_part = start is not None
        if start is not None:
            self._container.seek(max(0, int(start * av.time_base)))
        packets = self._container.demux(self.video)
        while not self._reached_end:
            # Every message that is taken is that of an error.
            with av.logging.Capture(local=True) as messages:
                found = self._next(packets)
            self._complained |= bool(messages)
            for frame in found:
                self._count(frame)
                yield frame

    def _next(self, packets: Iterator[Any]) -> List[Any]:
        """The frames of the next packet; at the end, those that the decoder still holds."""
        packet = None
        try:
            packet = next(packets)
            self._complained |= packet.is_corrupt
            return packet.decode()  # type: ignore[no-any-return]
        except StopIteration:
            self._reached_end = True
            return []
        except av.error.FFmpegError:
            self._lost = self._complained = True
            if packet is not None:
                return []
        # The file breaks off.
        self._reached_end = True
        try:
            return self.video.codec_context.decode(None)  # type: ignore[no-any-return]
        except av.error.FFmpegError:
            return []

    def _count(self, frame: Any) -> None:
        time, times = frame.time, self._times
        if time is None or times and time <= times[-1]:
            time = times[-1] + 1 / self.rate if times else 0.0
        times.append(time)
        self._last = frame
        self._complained |= frame.is_corrupt

    def judge(self, taken: int) -> None:
        """Raises ClipError if the clip, as far as it was read, is cut off or damaged, or no frame of it was taken."""
        has_length = self._format not in _WITHOUT_LENGTH
        if self._is_part or not self._reached_end:
            if has_length and (self._lost or self._reached_end and self._ends_early()):
                raise FramesMissing(f"{self.name} is cut off or damaged in the part that was asked for.")
            if not taken:
                raise Empty(f"There is no frame in the part of {self.name} that was asked for.")
            return
        if not self._times:
            raise Empty(f"{self.name} has no frames.")
        found, missing = len(self._times), self._missing()
        if missing > 0:
            raise FramesMissing(f"{self.name} has {found:,} of {found + missing:,} frames: it is cut off or damaged.")
        if not has_length and (self._has_partial_packet or self._complained and self._last_is_partial()):
            raise CutOff(f"{self.name} ends inside frame {found:,}: it is cut off.")

    def _ends_early(self) -> bool:
        """Whether the last frame of a part that reaches the file's end is two frames before the stated end."""
        claim = self._claim()
        if claim is None or claim.is_loose or not self._times:
            return False
        zero = 0.0 if claim.is_from_zero else float((self.video.start_time or 0) * self.video.time_base)
        return claim.seconds + zero - self._times[-1] > 3 / self.rate

    def _last_is_partial(self) -> bool:
        """Whether a decoder that gives up at faults leaves the last frame out. Frames without times are not compared."""
        last = self._last
        self._container.close()
        self._file.seek(0)
        self._open()
        self.video.codec_context.options = {"err_detect": "explode"}
        self._reached_end, self._last = False, None
        for _ in self.frames(None):
            pass
        return self._last is None or self._last.time != last.time

    def _missing(self) -> int:
        """The number of frames that the container states and does not have, as `ProbeReport.missingFrames` has it."""
        claim = self._claim()
        if claim is None:
            return 0
        times, tick, complained = self._times, float(self.video.time_base), self._complained
        period, is_regular, longest, holes = _cadence(times, tick, 1 / self.rate)
        end = times[-1] - times[0] + ((self._last.duration or 0) * tick or period)
        if claim.is_from_zero:
            end += max(0.0, times[0])
        tolerance: Optional[float] = None
        if is_regular:
            tolerance = period * (0.5 if complained or claim.is_counted else 2)
        elif complained:
            tolerance = max(period * 2, longest)
        if tolerance is not None and claim.is_loose:
            tolerance = max(tolerance, 1.0) if complained else None
        missing = 0
        if tolerance is not None and claim.seconds - end > tolerance:
            missing = max(1, round((claim.seconds - end) / period))
        if missing > 0 or complained:
            missing += holes
        if claim.frames is None:
            return missing
        return max(0, claim.frames - len(times)) if missing > 0 or complained else 0

    def _claim(self) -> Optional[_Claim]:
        video, stated = self.video, self.video.frames or None
        length: Any = video.duration and float(video.duration * video.time_base)
        of_file: Any = self._container.duration and self._container.duration / av.time_base
        is_loose = len(self._container.streams) > 1
        if self._format.startswith("mov,"):
            # An edit list that hides a part shortens the stream; the number of frames is then useless.
            is_edited = bool(length and stated and (stated - 1.5) / self.rate > length)
            return length and _Claim(
                length, None if is_edited else stated, is_loose=is_edited, is_counted=stated is not None)
        if self._format == "avi":
            return stated and _Claim(max(stated / self.rate, length or 0), is_counted=True)
        if self._format == "matroska,webm":
            of_stream = _seconds(video.metadata.get("DURATION", ""))
            if of_stream is not None:
                return _Claim(of_stream, is_from_zero=True)
        if self._format in ("matroska,webm", "flv"):
            return of_file and _Claim(of_file, is_from_zero=True, is_loose=is_loose)
        return None


def _cadence(times: "array.array[float]", tick: float, period: float) -> Any:
    """Seconds between frames, whether nine of ten distances are the same, the longest one, and frames in the gaps."""
    distances = [after - before for before, after in zip(times, times[1:])]
    longest, holes = max(distances, default=period), 0
    if len(distances) < _LEAST_DISTANCES:
        return period, False, longest, 0
    median = statistics.median_high(distances)
    near = [distance for distance in distances if abs(distance - median) <= tick + median / 100]
    if len(near) * 10 < len(distances) * 9:
        return period, False, longest, 0
    mean = statistics.fmean(near)
    if mean > 0:
        holes = sum(max(0, round((distance - mean) / mean)) for distance in distances)
    return mean, True, longest, holes


def _seconds(clock: str) -> Optional[float]:
    """The seconds of `hours:minutes:seconds`."""
    try:
        hours, minutes, seconds = map(float, clock.split(":"))
    except ValueError:
        return None
    return hours * 3600 + minutes * 60 + seconds


def _is_text(start: bytes) -> bool:
    try:
        text = start.decode()
    except UnicodeDecodeError as error:
        # A character may be cut.
        if error.start < len(start) - 3:
            return False
        text = start[:error.start].decode()
    return not text.startswith("YUV4MPEG2") and all(character.isprintable() or character in "\t\r\n" for character in text)


def _ends_in_packet(start: bytes, size: int) -> bool:
    """Whether a transport stream is no whole number of packets."""
    for packet in _PACKETS:
        first = 4 if packet == 192 else 0
        if all(start[place:place + 1] == bytes([_SYNC_BYTE]) for place in range(first, first + 4 * packet, packet)):
            return size % packet != 0
    return False
