/** The options of recognizer and camera, and what they may be. */

import { GestureError, reason, shown } from "./errors.js";

const isShare = (value) => typeof value === "number" && value >= 0 && value <= 1;
/** As HandTrackingConfiguration has it. */
const isScore = (value) => typeof value === "number" && value >= 0.01 && value <= 0.99;
const isBoolean = (value) => typeof value === "boolean";
const isObject = (value) => typeof value === "object" && value !== null;
const isNames = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");
const isOneOf = (...values) => (value) => values.includes(value);
const table = (rows) => new Map(Object.entries(rows));

/** Options that the engine has when it opens: what they may be, its own name, and the default. */
const engineOptions = table({
  numHands: ["a whole number from 1 to 4", isOneOf(1, 2, 3, 4), "maximumHands", 1],
  minHandDetectionConfidence: ["a number from 0.01 to 0.99", isScore, "minimumPalmScore", 0.5],
  minHandPresenceConfidence: ["a number from 0.01 to 0.99", isScore, "minimumPresence", 0.5],
  rate: ["30, 60 or 120", isOneOf(30, 60, 120), "rate", 30],
  mirrored: ["true or false", isBoolean, "mirrored", false],
  heldPoses: ["true or false", isBoolean, "heldPoses", false],
  sensitivity: ["low, medium or high", isOneOf("low", "medium", "high"), "sensitivity", "medium"],
});
const allOptions = new Map([...engineOptions, ...table({
  runningMode: ["IMAGE or VIDEO", isOneOf("IMAGE", "VIDEO")],
  minTrackingConfidence: ["a number from 0 to 1", isShare],
  cannedGesturesClassifierOptions: ["an object of classifier options", isObject],
  baseOptions: ["an object", isObject],
})]);
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
  denied: ["a list of labels", isNames],
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
export function merge(before, options) {
  const merged = { ...before };
  for (const [name, value] of checked(options, allOptions)) {
    if (value === undefined) delete merged[name]; else merged[name] = value;
  }
  const { cannedGesturesClassifierOptions = {}, baseOptions = {} } = merged;
  checked(cannedGesturesClassifierOptions, classifierOptions, "option", "cannedGesturesClassifierOptions.");
  const { categoryAllowlist, categoryDenylist } = cannedGesturesClassifierOptions;
  if (categoryAllowlist?.length && categoryDenylist?.length) {
    throw new GestureError("option", "categoryAllowlist and categoryDenylist exclude each other.");
  }
  checkModel(baseOptions);
  return merged;
}

/** The networks are those of the fileset: another model would be ignored, and that is an error. */
function checkModel(options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "delegate" && ["CPU", "GPU"].includes(value)) continue;
    if (name === "modelAssetPath" && typeof value === "string" && /(^|\/)gesture_recognizer\.task$/.test(value)) continue;
    throw new GestureError(
      "option", `baseOptions.${name} has no use here: the networks are those of the fileset. Leave it out.`);
  }
}

/** The options as the engine takes them. */
export function opening(options) {
  return Object.fromEntries([...engineOptions].map(([name, [, , key, byDefault]]) => [key, options[name] ?? byDefault]));
}

/** The thresholds to change, as the engine takes them. */
export function recognitionChanges(changes, labels) {
  const { denied, ...others } = Object.fromEntries(checked(changes, thresholds, "threshold"));
  const stranger = denied?.find((label) => !labels.includes(label));
  if (stranger !== undefined) throw new GestureError("option", `There is no gesture ${shown(stranger)} to deny.`);
  return "denied" in changes ? { ...others, denied: denied ?? [] } : others;
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
