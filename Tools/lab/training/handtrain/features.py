"""The column that the temporal layers read: 128 quantised values, 0...255, from one frame. All arithmetic is float32, in the order written.

Input of one frame: landmarks p0...p20 in MediaPipe's order, x and y as shares of the frame's width and height from its top left, z as in MediaPipe
(share of the width, from the wrist, smaller is nearer to the camera); `right`, the handedness as reported (0: left, 1: right); `aspect`, the frame's
width / height. A frame without a hand, or with a landmark that is not finite, has the column `NONE`: presence 0, every other landmark value 128, no
pose; its motion is the frame's.

A frame narrower than 4:3 counts as the middle of a frame of 4:3, so that a movement has the same numbers in an upright picture as in a wide one: with
k = aspect * 0.75 (float32), every x becomes 0.5 + (x - 0.5) * k, every z becomes z * k, and the aspect 4/3. `padded` does the same with motion.

Lengths are in heights of the frame: X = x * aspect, Y = y, Z = z * aspect. With P = (0, 1, 5, 9, 13, 17):
- c = (((p0 + p5) + p9) + p13 + p17) / 5 in X, Y, Z, summed left to right: the palm's position.
- m = sum over P left to right / 6; s = sqrt((sum over P, left to right, of ((X - mX)^2 + (Y - mY)^2 + (Z - mZ)^2)) / 6 + 1e-8): the palm's size in
  space; f, the same of X and Y alone, is its size in the frame. 1e-8 is added to the sum divided by 6.
- d = (p9 - p0) in X, Y, divided by sqrt(dX^2 + dY^2 + 1e-8): the roll as a unit vector; (0, 0) if both points coincide.
- n = (p5 - p0) x (p17 - p0) in space, divided by sqrt((nX^2 + nY^2) + nZ^2 + 1e-16): the direction that the palm faces.
- q_i = (p_i - c) / s, three numbers. |a - b| of two q is sqrt((dX^2 + dY^2) + dZ^2).
- the direction of two q is their difference divided by (their distance + 1e-4).

A feature r with the range lo...hi is quantised to round(min(max((r - lo) * gain, 0), 255)), half to even, gain = 255 / (hi - lo) rounded to float32;
NaN (of landmarks so far apart that a square overflows) gives 0. The network's input is this value * 6 / 255. `LAYOUT` has the name and range of each
feature; their meanings:

    presence            1
    x, y                cX / aspect, cY
    size                s / (s + 0.1)
    right               as reported
    rollX, rollY        d
    normalX..Z          n
    length, width       f-plane: sqrt((p9-p0)X^2 + (p9-p0)Y^2) / s; the same of p5, p17
    tilt, slant         Z of q9 - q0; Z of q5 - q17
    flat                f / s
    pNX, pNY            X, Y of q_N, N = 0...20
    uNX, uNY            the same, turned until d points up: X * -dY + Y * dX, X * -dX + Y * -dY, for N = 3 4 6 8 10 12 14 16 18 20
    reachN              |q_N - q_K|, N = 4 8 12 16 20, K = 2 5 9 13 17: distance of a tip from its knuckle
    wristN              |q_N - q_0|, N = 4 8 12 16 20
    gapN_M              |q_N - q_M|
    bendN               direction of q_N-1, q_N times direction of K, K+1 (K as above; thumb 1, 2), summed X, Y, Z left to right
    depthN              Z of q_N, N = 4 8 12 16 20
    atNX, atNY          position of point N in the frame, x and y, N = 0, 8
    poseNAME            the scores of `poses`; 0 without a hand
    amount ... age      `motion`
"""

import numpy as np

CODES = 128
PALM = (0, 5, 9, 13, 17)
BODY = (0, 1, 5, 9, 13, 17)
TURNED = (3, 4, 6, 8, 10, 12, 14, 16, 18, 20)
TIPS = (4, 8, 12, 16, 20)
KNUCKLES = (2, 5, 9, 13, 17)
GAPS = ((4, 8), (4, 12), (8, 12), (12, 16), (16, 20), (4, 20), (4, 5))
FRAMED = (0, 8)

LAYOUT = (
    [("presence", 0.0, 1.0), ("x", -0.1, 1.1), ("y", -0.1, 1.1), ("size", 0.0, 0.9), ("right", 0.0, 1.0), ("rollX", -1.0, 1.0),
     ("rollY", -1.0, 1.0), ("normalX", -1.0, 1.0), ("normalY", -1.0, 1.0), ("normalZ", -1.0, 1.0), ("length", 0.0, 2.8), ("width", 0.0, 2.8),
     ("tilt", -2.6, 2.6), ("slant", -2.0, 2.0), ("flat", 0.0, 1.0)]
    + [(f"p{n}{axis}", -4.5, 4.5) for n in range(21) for axis in "XY"]
    + [(f"u{n}{axis}", -4.0, 4.0) for n in TURNED for axis in "XY"]
    + [(f"reach{n}", 0.0, 2.8) for n in TIPS]
    + [(f"wrist{n}", 0.0, 5.2) for n in TIPS]
    + [(f"gap{a}_{b}", 0.0, 4.0) for a, b in GAPS]
    + [(f"bend{n}", -1.0, 1.0) for n in TIPS]
    + [(f"depth{n}", -3.0, 3.0) for n in TIPS]
    + [(f"at{n}{axis}", -0.1, 1.1) for n in FRAMED for axis in "XY"]
)
HAND = len(LAYOUT)  # features of the landmarks alone
LAYOUT += [(f"pose{name}", 0.0, 1.0) for name in ("None", "ClosedFist", "OpenPalm", "PointingUp", "ThumbDown", "ThumbUp", "Victory", "ILoveYou")]
LAYOUT += [("amount", 0.0, 1.0), ("moveX", 0.0, 1.0), ("moveY", 0.0, 1.0), ("wideX", 0.0, 0.5), ("wideY", 0.0, 0.5), ("area", 0.0, 0.4),
           ("shiftX", -0.06, 0.06), ("shiftY", -0.06, 0.06), ("nearby", 0.0, 1.0), ("lastX", -0.1, 1.1), ("lastY", -0.1, 1.1), ("age", 0.0, 1.0)]
USED = len(LAYOUT)
POSED = HAND + 8  # and of its pose; the rest is the frame's motion
STILL = np.array([0, 0.5, 0.5, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 1], np.float32)
LOW = np.array([lo for _, lo, _ in LAYOUT], np.float32)
GAIN = np.array([255.0 / (hi - lo) for _, lo, hi in LAYOUT], np.float64).astype(np.float32)
NONE = np.zeros(CODES, np.uint8)
NONE[1:HAND] = 128
NONE[POSED:] = np.rint((STILL - LOW[POSED:]) * GAIN[POSED:])
assert USED <= CODES


def _length(*parts):
    total = parts[0] * parts[0]
    for part in parts[1:]:
        total = total + part * part
    return total


def widened(landmarks, aspect):
    """Landmarks [N,21,3] and aspect [N] of frames, those narrower than 4:3 padded to it."""
    f = np.float32
    p, aspect = np.array(landmarks, f), np.broadcast_to(np.asarray(aspect, f), len(landmarks)).copy()
    k = aspect * f(0.75)
    narrow = k < 1
    k = k[narrow, None]
    p[narrow, :, 0] = f(0.5) + (p[narrow, :, 0] - f(0.5)) * k
    p[narrow, :, 2] *= k
    aspect[narrow] = f(4 / 3)
    return p, aspect


def padded(motion, aspect):
    """The numbers of `motion` [N,12] in frames of `aspect` (a number or [N]) -> those of the frames padded to 4:3, if they are narrower."""
    f = np.float32
    out = np.array(motion, f)
    k = np.broadcast_to(np.asarray(aspect, f) * f(0.75), len(out))
    narrow = k < 1
    k, (amount, move_x, _, wide_x, _, area, shift_x, _, _, last_x, _, _) = k[narrow], out[narrow].T
    out[narrow, 0] = amount * k / ((f(1) - amount) + amount * k)
    for place, x in ((1, move_x), (9, last_x)):
        out[narrow, place] = f(0.5) + (x - f(0.5)) * k
    for place, x in ((3, wide_x), (5, area), (6, shift_x)):
        out[narrow, place] = x * k
    return out


def numbers(landmarks, right, aspect):
    """landmarks [N,21,3], right [N], aspect (a number or [N]) -> features float32 [N,HAND], not quantised. All landmarks finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        landmarks, aspect = widened(landmarks, aspect)
        return _numbers(landmarks, right, aspect)


def _numbers(landmarks, right, aspect):
    f = np.float32
    p = landmarks
    X, Y, Z = p[..., 0] * aspect[:, None], p[..., 1], p[..., 2] * aspect[:, None]
    axes = (X, Y, Z)

    def mean(points, a):
        total = a[:, points[0]]
        for k in points[1:]:
            total = total + a[:, k]
        return total / f(len(points))

    c = [mean(PALM, a) for a in axes]
    m = [mean(BODY, a) for a in axes]
    solid = plane = f(0)
    for k in BODY:
        x, y, z = (a[:, k] - b for a, b in zip(axes, m))
        plane = plane + (x * x + y * y)
        solid = solid + ((x * x + y * y) + z * z)
    s = np.sqrt(solid / f(6) + f(1e-8))
    flat = np.sqrt(plane / f(6) + f(1e-8))
    dx, dy = X[:, 9] - X[:, 0], Y[:, 9] - Y[:, 0]
    length = np.sqrt(_length(dx, dy))
    d = np.sqrt(_length(dx, dy) + f(1e-8))
    dx, dy = dx / d, dy / d
    wx, wy = X[:, 5] - X[:, 17], Y[:, 5] - Y[:, 17]
    width = np.sqrt(_length(wx, wy))
    a, b = [v[:, 5] - v[:, 0] for v in axes], [v[:, 17] - v[:, 0] for v in axes]
    n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    norm = np.sqrt(_length(*n) + f(1e-16))
    q = [(v - w[:, None]) / s[:, None] for v, w in zip(axes, c)]

    def distance(i, j):
        return np.sqrt(_length(*(v[:, i] - v[:, j] for v in q)))

    def direction(i, j):
        far = distance(j, i) + f(1e-4)
        return [(v[:, j] - v[:, i]) / far for v in q]

    out = [np.ones(len(p), f), c[0] / aspect, c[1], s / (s + f(0.1)), np.asarray(right, f), dx, dy, *(v / norm for v in n), length / s, width / s,
           q[2][:, 9] - q[2][:, 0], q[2][:, 5] - q[2][:, 17], flat / s]
    for k in range(21):
        out += [q[0][:, k], q[1][:, k]]
    for k in TURNED:
        x, y = q[0][:, k], q[1][:, k]
        out += [x * -dy + y * dx, x * -dx + y * -dy]
    out += [distance(k, j) for k, j in zip(TIPS, KNUCKLES)]
    out += [distance(k, 0) for k in TIPS]
    out += [distance(i, j) for i, j in GAPS]
    for k, j in zip(TIPS, (1, *KNUCKLES[1:])):
        u, v = direction(k - 1, k), direction(j, j + 1)
        out.append((u[0] * v[0] + u[1] * v[1]) + u[2] * v[2])
    out += [q[2][:, k] for k in TIPS]
    for k in FRAMED:
        out += [p[:, k, 0], p[:, k, 1]]
    return np.stack(out, 1)


def code(values, which):
    """Features [...,n] with the indices `which` in LAYOUT -> their quantised values; 0 for NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.rint(np.clip((np.asarray(values, np.float32) - LOW[which]) * GAIN[which], np.float32(0), np.float32(255)))
    return np.nan_to_num(rounded).astype(np.uint8)


def codes(landmarks, right, aspect, seen=None, poses=None, motion=None):
    """landmarks [N,21,3] (any values where no hand is seen), right [N], aspect, seen [N] (default: wherever all is finite), poses [N,8] (default:
    none known), motion [N,12] of `motion.Motion` (default: that of a frame without movement) -> uint8 [N,128]."""
    landmarks = np.asarray(landmarks, np.float32)
    finite = np.isfinite(landmarks).all((1, 2))
    seen = finite if seen is None else finite & np.asarray(seen, bool)
    out = np.broadcast_to(NONE, (len(landmarks), CODES)).copy()
    if seen.any():
        shown = np.broadcast_to(np.asarray(aspect, np.float32), len(landmarks))[seen]
        out[seen, :HAND] = code(numbers(landmarks[seen], np.asarray(right, np.float32)[seen], shown), slice(0, HAND))
        if poses is not None:
            out[seen, HAND:POSED] = code(np.asarray(poses)[seen], slice(HAND, POSED))
    out[:, POSED:USED] = code(STILL if motion is None else padded(motion, aspect), slice(POSED, USED))
    return out
