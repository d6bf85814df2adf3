/** What callers get of the engine's numbers: MediaPipe's results, and reports of frames. */

/** Numbers of a hand, of a person and of a pointer, as `write` of `TrackedHand`, `TrackedBody` and `HandPointer.Result` have them. */
export const handFloats = 138, personFloats = 266;
const pointerFloats = 10;
const handPoints = 21, personPoints = 33, personStride = 5;
const poseNames = [
  "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory", "ILoveYou",
];

const connected = (...pairs) => Object.freeze(pairs.map(([start, end]) => Object.freeze({ start, end })));
export const handConnections = connected(
  [0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 6], [6, 7], [7, 8], [5, 9], [9, 10], [10, 11], [11, 12], [9, 13], [13, 14],
  [14, 15], [15, 16], [13, 17], [0, 17], [17, 18], [18, 19], [19, 20],
);
export const poseConnections = connected(
  [0, 1], [1, 2], [2, 3], [3, 7], [0, 4], [4, 5], [5, 6], [6, 8], [9, 10], [11, 12], [11, 13], [13, 15], [15, 17], [15, 19],
  [15, 21], [17, 19], [12, 14], [14, 16], [16, 18], [16, 20], [16, 22], [18, 20], [11, 23], [12, 24], [23, 24], [23, 25],
  [24, 26], [25, 27], [26, 28], [27, 29], [28, 30], [29, 31], [30, 32], [27, 31], [28, 32],
);

const category = (categoryName, score, index, displayName) => ({ categoryName, score, index, displayName });

/** So many parts of an equal size. They share the memory of the numbers. */
export const parts = (numbers, start, count, size) =>
  Array.from({ length: count }, (_, index) => numbers.subarray(start + index * size, start + (index + 1) * size));

/** The canned gestures of one hand, the best first. */
function cannedGestures(numbers, options = {}) {
  const none = () => [category("None", 0, -1, "")];
  if (!numbers[3]) return none();
  const { scoreThreshold = 0, maxResults = 1, categoryAllowlist = [], categoryDenylist = [] } = options;
  const passed = poseNames.map((name, index) => category(name, numbers[4 + index], -1, ""))
    .filter(({ categoryName, score }) => score >= scoreThreshold && !categoryDenylist.includes(categoryName)
      && (!categoryAllowlist.length || categoryAllowlist.includes(categoryName)))
    .sort((one, other) => other.score - one.score);
  const best = maxResults > 0 ? passed.slice(0, maxResults) : passed;
  return best.length ? best : none();
}

const points = (numbers, start, count, stride, visibility = () => 0) => Array.from({ length: count }, (_, index) => {
  const at = start + stride * index;
  return { x: numbers[at], y: numbers[at + 1], z: numbers[at + 2], visibility: visibility(index) };
});

/** The points and sides of hands. - hands: the numbers of each. */
export function handResult(hands) {
  const handedness = hands.map(([, right]) => right >= 0.5
    ? [category("Right", right, 0, "Right")] : [category("Left", 1 - right, 1, "Left")]);
  return {
    landmarks: hands.map((hand) => points(hand, 12, handPoints, 3)), worldLandmarks: hands.map((hand) => points(hand, 75, handPoints, 3)),
    handedness, handednesses: handedness,
  };
}

/** The same with gestures, and with pointers if the options ask for them. - report: that of the frame; none for an image. */
export function result(hands, options, report) {
  const { pointers, pointerPair } = report ?? {};
  return {
    ...handResult(hands), gestures: hands.map((hand) => cannedGestures(hand, options.cannedGesturesClassifierOptions)),
    ...report && options.pointer ? { pointers, pointerPair } : {},
  };
}

/** The points of people. - people: the numbers of each. */
export function poseResult(people) {
  const found = (start, stride) => people.map((person) =>
    points(person, start, personPoints, stride, (index) => person[2 + personStride * index + 3]));
  return { landmarks: found(2, personStride), worldLandmarks: found(2 + personStride * personPoints, 3), close() {} };
}

function reportedHand(numbers) {
  const scores = numbers.subarray(4, 12), best = scores.indexOf(Math.max(...scores));
  return {
    id: numbers[0], side: numbers[1] >= 0.5 ? "right" : "left", presence: numbers[2],
    pose: numbers[3] && best ? poseNames[best] : null, points: numbers.subarray(12, 75), worldPoints: numbers.subarray(75),
  };
}

function reportedPerson(numbers) {
  const end = 2 + personStride * personPoints;
  return { id: numbers[0], presence: numbers[1], points: numbers.subarray(2, end), worldPoints: numbers.subarray(end) };
}

const pointerStates = ["absent", "hovering", "pressed", "dragging"], releaseReasons = ["opened", "lost", "reset"];
const pointerEvents = ["entered", "moved", "dragged", "pressed", "released", "clicked", "doubleClicked", "scrolled", "left"];

function reportedPointer([identity, isRight, x, y, state, confidence, events, reason, across, down]) {
  return {
    identity: identity < 0 ? null : identity, handedness: identity < 0 ? null : isRight ? "right" : "left", x, y,
    state: pointerStates[state], confidence, events: pointerEvents.filter((_, place) => events >> place & 1),
    releaseReason: releaseReasons[reason] ?? null, scroll: { x: across, y: down },
  };
}

/** The pointers of a frame. - numbers: theirs and those of the pair; none without pointers. */
function reportedPointers(numbers, count) {
  const [hasPair, distance, angle, zoom, rotation] = numbers.subarray(count * pointerFloats);
  return {
    pointers: parts(numbers, 0, count, pointerFloats).map(reportedPointer),
    pointerPair: hasPair ? { distance, angle, zoom, rotation } : null,
  };
}

/**
 * The report of a frame, and the numbers of its hands. Its arrays share the memory of the numbers.
 * - words: what is the same in most frames. numbers: what the engine has said of this one. time: nothing for the end of a stream, whose
 *   last event has it.
 */
export function frameReport(words, numbers, time) {
  const [work, scoreCount, handCount, armCount, personCount, gesturing, pointerCount] = numbers;
  const { kind, bodies, ...others } = words;
  const handStart = 7 + scoreCount, armStart = handStart + handCount * handFloats, personStart = armStart + 18 * armCount;
  const pointerStart = personStart + personCount * personFloats;
  const hands = parts(numbers, handStart, handCount, handFloats);
  return {
    hands,
    report: {
      kind: "frame", time: time ?? others.events.at(-1)?.decision ?? 0, ...others, work, wait: 0, received: 0, superseded: 0,
      scores: scoreCount ? numbers.subarray(7, handStart) : null, hands: hands.map(reportedHand),
      arms: armCount ? { points: numbers.subarray(armStart, personStart), gesturing } : null,
      bodies: bodies ? { ...bodies, people: parts(numbers, personStart, personCount, personFloats).map(reportedPerson) } : null,
      ...reportedPointers(numbers.subarray(pointerStart), pointerCount),
    },
  };
}
