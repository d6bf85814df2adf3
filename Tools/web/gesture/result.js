/** What MediaPipe's recognizer returns, from the engine's numbers of each hand. */

const poseNames = [
  "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory", "ILoveYou",
];

export const connections = [
  [0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 6], [6, 7], [7, 8], [5, 9], [9, 10], [10, 11], [11, 12], [9, 13], [13, 14],
  [14, 15], [15, 16], [13, 17], [0, 17], [17, 18], [18, 19], [19, 20],
].map(([start, end]) => Object.freeze({ start, end }));

const category = (categoryName, score, index, displayName) => ({ categoryName, score, index, displayName });

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

/** - hands: the numbers of each. */
export function result(hands, options) {
  const points = (numbers, start) => Array.from({ length: 21 }, (_, index) => {
    const at = start + 3 * index;
    return { x: numbers[at], y: numbers[at + 1], z: numbers[at + 2], visibility: 0 };
  });
  const handedness = hands.map(([, right]) => right >= 0.5
    ? [category("Right", right, 0, "Right")] : [category("Left", 1 - right, 1, "Left")]);
  return {
    landmarks: hands.map((hand) => points(hand, 12)), worldLandmarks: hands.map((hand) => points(hand, 75)),
    handedness, handednesses: handedness,
    gestures: hands.map((hand) => cannedGestures(hand, options.cannedGesturesClassifierOptions)),
  };
}
