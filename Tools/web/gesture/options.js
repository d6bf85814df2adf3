/** The options of each task, and what they may be. */

import { GestureError, reason, shown } from "./errors.js";

const isShare = (value) => typeof value === "number" && value >= 0 && value <= 1;
/** As HandTrackingConfiguration has it. */
const isScore = (value) => typeof value === "number" && value >= 0.01 && value <= 0.99;
const isBoolean = (value) => typeof value === "boolean";
const isObject = (value) => typeof value === "object" && value !== null;
const isNames = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");
const isWithin = (least, most) => (value) => typeof value === "number" && value >= least && value <= most;
const isOneOf = (...values) => (value) => values.includes(value);
const table = (rows) => new Map(Object.entries(rows));
const number = (least, most) => [`a number from ${least} to ${most}`, isWithin(least, most)];

/** Options that the engine has when it opens: what they may be, its own name, and the default. */
const handOptions = {
  numHands: ["a whole number from 1 to 4", isOneOf(1, 2, 3, 4), "maximumHands", 1],
  minHandDetectionConfidence: ["a number from 0.01 to 0.99", isScore, "minimumPalmScore", 0.5],
  minHandPresenceConfidence: ["a number from 0.01 to 0.99", isScore, "minimumPresence", 0.5],
};
const engineOptions = table({
  ...handOptions,
  rate: ["30, 60 or 120", isOneOf(30, 60, 120), "rate", 30],
  mirrored: ["true or false", isBoolean, "mirrored", false],
  heldPoses: ["true or false", isBoolean, "heldPoses", false],
  sensitivity: ["low, medium or high", isOneOf("low", "medium", "high"), "sensitivity", "medium"],
  arms: ["true or false", isBoolean, "arms", undefined],
  pointer: ["true, false or an object of settings", (value) => isBoolean(value) || isObject(value), "pointer", undefined],
});
/** Settings of pointers, as `HandPointer.Configuration` has them. The engine checks those that depend on each other. */
const pointerSettings = table({
  region: ["an object of x, y, width and height", isObject],
  isMirrored: ["true or false", isBoolean],
  smoothing: ["an object of minimumCutoff, speedCoefficient and speedCutoff", isObject],
  pressGap: number(0.05, 1),
  releaseGap: number(0.05, 2),
  lostHandTime: number(0, 2000),
  dragDistance: number(0, 1),
  doubleClickTime: number(0, 2000),
  screenAspect: number(0.1, 10),
  scrolls: ["true or false", isBoolean],
});
const pointerRegion = table({ x: number(0, 0.95), y: number(0, 0.95), width: number(0.05, 1), height: number(0.05, 1) });
const pointerSmoothing = table({
  minimumCutoff: number(0.0001, 1000), speedCoefficient: number(0, 100_000), speedCutoff: number(0.0001, 1000),
});
const taskOptions = {
  runningMode: ["IMAGE or VIDEO", isOneOf("IMAGE", "VIDEO")],
  minTrackingConfidence: ["a number from 0 to 1", isShare],
  baseOptions: ["an object", isObject],
};

/** The options of each task, and the file of MediaPipe that has the same networks. */
export const gestureTask = {
  options: new Map([...engineOptions, ...table({
    ...taskOptions, cannedGesturesClassifierOptions: ["an object of classifier options", isObject],
  })]),
  model: "gesture_recognizer",
};
export const handTask = { options: table({ ...handOptions, ...taskOptions }), model: "hand_landmarker" };
export const poseTask = {
  options: table({
    numPoses: ["a whole number from 1 to 4", isOneOf(1, 2, 3, 4), "maximumBodies", 1],
    minPoseDetectionConfidence: ["a number from 0.01 to 0.99", isScore, "minimumBodyScore", 0.5],
    minPosePresenceConfidence: ["a number from 0.01 to 0.99", isScore, "minimumBodyPresence", 0.5],
    outputSegmentationMasks: ["false, because there are no masks", isOneOf(false)],
    ...taskOptions,
  }),
  model: "pose_landmarker_full",
};
const classifierOptions = table({
  scoreThreshold: ["a number", Number.isFinite],
  maxResults: ["a whole number other than 0", (value) => Number.isInteger(value) && value !== 0],
  categoryAllowlist: ["a list of names", isNames],
  categoryDenylist: ["a list of names", isNames],
});
const thresholds = table({
  beginConfidence: ["a number of 0 or more and below 1", Number.isFinite],
  beginFrames: ["a whole number from 1 to 600", Number.isInteger],
  endFrames: ["a whole number from 1 to 600", Number.isInteger],
  deniedClasses: ["a list of labels", isNames],
});

/** Characters of a command: a file of gestures in Base64, and some more. */
const commandLimit = 2 << 20;

function refuse(name, value, wanted) {
  throw new GestureError("option", `${name} must be ${wanted}, not ${shown(value)}.`);
}

/** The members of an object of options, each of a name and a value that `known` has; undefined is always good. */
function checked(options, known, what = "option", prefix = "") {
  if (!isObject(options)) refuse("options", options, "an object");
  const members = Object.entries(options);
  for (const [name, value] of members) {
    const [wanted, isGood] = known.get(name) ?? [];
    if (!isGood) throw new GestureError("option", `There is no ${what} ${prefix}${name}.`);
    if (value !== undefined && !isGood(value)) refuse(prefix + name, value, wanted);
  }
  return members;
}

/** Lays options over others; undefined brings back the default. */
export function merge(before, options, task = gestureTask) {
  const merged = { ...before };
  for (const [name, value] of checked(options, task.options)) {
    if (value === undefined) delete merged[name]; else merged[name] = value;
  }
  const { cannedGesturesClassifierOptions = {}, baseOptions = {} } = merged;
  checked(cannedGesturesClassifierOptions, classifierOptions, "option", "cannedGesturesClassifierOptions.");
  const { categoryAllowlist, categoryDenylist } = cannedGesturesClassifierOptions;
  if (categoryAllowlist?.length && categoryDenylist?.length) {
    throw new GestureError("option", "categoryAllowlist and categoryDenylist exclude each other.");
  }
  checkModel(baseOptions, task.model);
  if (isObject(merged.pointer)) {
    checked(merged.pointer, pointerSettings, "setting", "pointer.");
    checked(merged.pointer.region ?? {}, pointerRegion, "setting", "pointer.region.");
    checked(merged.pointer.smoothing ?? {}, pointerSmoothing, "setting", "pointer.smoothing.");
  }
  return merged;
}

/** The networks are those of the fileset: another model would be ignored, and that is an error. */
function checkModel(options, model) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "delegate" && ["CPU", "GPU"].includes(value)) continue;
    if (name === "modelAssetPath" && typeof value === "string" && value.split("/").at(-1) === `${model}.task`) continue;
    throw new GestureError(
      "option", `baseOptions.${name} has no use here: the networks are those of the fileset. Leave it out.`);
  }
}

/** The options as the engine takes them. */
export function opening(options, task = gestureTask) {
  return Object.fromEntries([...task.options].filter(([, [, , key]]) => key)
    .map(([name, [, , key, byDefault]]) => [key, options[name] ?? byDefault]));
}

/** Checks that a call fits the running mode. */
export function checkMode({ runningMode = "IMAGE" }, mode, call, other) {
  if (runningMode === mode) return;
  throw new GestureError("running-mode", `${call} needs the runningMode ${mode}, and ${runningMode} is set. `
    + `Call ${other}, or setOptions({ runningMode: "${mode}" }).`);
}

/** The whole microseconds of a timestamp in milliseconds, which follows `latest`. */
export function microseconds(timestamp, latest) {
  const time = typeof timestamp === "number" && timestamp >= 0 ? Math.round(timestamp * 1000) : NaN;
  if (!(time < 2 ** 53)) {
    throw new GestureError("timestamp", `The timestamp must be a number of milliseconds of 0 or more, not ${shown(timestamp)}.`);
  }
  if (time <= latest) {
    throw new GestureError("timestamp", `The timestamp ${timestamp} does not follow ${latest / 1000}: they must grow, by `
      + "a microsecond at least.");
  }
  return time;
}

/** The function among MediaPipe's last arguments, if there is one. Regions of interest and rotations are refused. */
export function callback(values) {
  for (const value of values) {
    if (typeof value === "function" || value === undefined) continue;
    if (!isObject(value)) refuse("The last argument", value, "a function");
    if (Object.values(value).some(Boolean)) {
      throw new GestureError("option", "A region of interest or a rotation cannot be given. Draw that part of the picture on a canvas, "
        + "turned as you want it, and give the canvas.");
    }
  }
  return values.find((value) => typeof value === "function");
}

/** The thresholds to change, as the engine takes them. */
export function recognitionChanges(changes, labels) {
  const { deniedClasses, ...others } = Object.fromEntries(checked(changes, thresholds, "threshold"));
  const stranger = deniedClasses?.find((label) => !labels.includes(label));
  if (stranger !== undefined) throw new GestureError("option", `There is no gesture ${shown(stranger)} to deny.`);
  return "deniedClasses" in changes ? { ...others, deniedClasses: deniedClasses ?? [] } : others;
}

/** A command as the engine takes it: plain JSON, without the numbers that JSON turns into nothing. */
export function plainCommand(command) {
  if (!isObject(command)) refuse("A command", command, "an object");
  const finite = (name, value) => {
    if (typeof value === "number" && !Number.isFinite(value)) refuse(name, value, "a finite number");
    return value;
  };
  let text;
  try {
    text = JSON.stringify(command, finite) ?? "null";
  } catch (error) {
    if (error instanceof GestureError) throw error;
    throw new GestureError("option", `The command cannot be written as JSON: ${reason(error)}`, { cause: error });
  }
  if (text.length > commandLimit) throw new GestureError("option", `A command has at most ${commandLimit} characters of JSON.`);
  const plain = JSON.parse(text);
  if (!isObject(plain)) refuse("A command", command, "an object");
  return plain;
}
