// Tests of gesture.js without a browser: WEB=FOLDER node --test Tools/web/test.mjs. FOLDER is what Tools/web/build makes,
// .build/web unless it is given. Pictures come from the demo by ffmpeg.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const web = resolve(process.env.WEB ?? ".build/web");
const { Engine, FilesetResolver, GestureError, GestureRecognizer } = await import(pathToFileURL(join(web, "gesture.js")));
const fileset = await FilesetResolver.forVisionTasks(pathToFileURL(web));

const [width, height] = [480, 360], frameBytes = 4 * width * height;
const demoPixels = (format) => execFileSync("ffmpeg",
  ["-v", "error", "-i", "Weights/demo/hands.mp4", "-pix_fmt", format, "-f", "rawvideo", "-"], { maxBuffer: 1 << 30 });
const demo = demoPixels("rgba");
/** The demo has ten frames a second. */
const frameCount = demo.length / frameBytes;
const frame = (index) => ({
  width, height, data: new Uint8ClampedArray(demo.buffer, demo.byteOffset + index * frameBytes, frameBytes),
});
/** The demo's events, as the engine on a server's CPU finds them. */
const wanted = readFileSync("Weights/demo/hands.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const gray = { width, height, data: new Uint8ClampedArray(frameBytes).fill(128) };
const refusal = (code, words = /./) => (error) => {
  assert(error instanceof GestureError, `${error}`);
  assert.equal(error.code, code);
  assert.match(error.message, words);
  assert.match(error.message, /[.]$/);
  return true;
};

async function recognizer(options) {
  const made = await GestureRecognizer.createFromOptions(fileset, options);
  after(() => made.close());
  return made;
}

/** Shows the demo, and returns the begins. */
function showDemo(made, from = 0) {
  const begins = [];
  made.onGesture = (event) => { if (event.type === "begin") begins.push(event.label); };
  for (let index = 0; index < frameCount; index++) made.recognizeForVideo(frame(index), from + 100 * index);
  return begins;
}

test("an image has hands in MediaPipe's form", async () => {
  const made = await recognizer({ numHands: 2 });
  // A fist of the demo.
  const { landmarks, worldLandmarks, handedness, handednesses, gestures } = made.recognize(frame(77));
  assert.equal(landmarks.length, 1);
  assert.equal(landmarks[0].length, 21);
  for (const { x, y, z } of landmarks[0]) assert(x > 0 && x < 1 && y > 0 && y < 1 && Math.abs(z) < 1, `${x} ${y} ${z}`);
  assert.equal(worldLandmarks[0].length, 21);
  for (const { x, y, z } of worldLandmarks[0]) assert(Math.hypot(x, y, z) < 0.25, "a point of a hand is 25 cm from its middle");
  assert.deepEqual(handedness, handednesses);
  assert(["Left", "Right"].includes(handedness[0][0].categoryName) && handedness[0][0].score >= 0.5);
  assert.deepEqual(gestures[0].map(({ categoryName, index }) => [categoryName, index]), [["Closed_Fist", -1]]);
  assert(gestures[0][0].score > 0.5);
  // Nothing is kept from image to image.
  assert.deepEqual(made.recognize(frame(77)).landmarks, landmarks);
  assert.deepEqual(made.recognize(gray).landmarks, []);
  assert.equal(GestureRecognizer.HAND_CONNECTIONS.length, 21);
});

test("the classifier's options choose the categories", async () => {
  const made = await recognizer({ cannedGesturesClassifierOptions: { maxResults: -1 } });
  const scores = made.recognize(frame(77)).gestures[0];
  assert.equal(scores.length, 8);
  assert(Math.abs(scores.reduce((sum, { score }) => sum + score, 0) - 1) < 0.01, "the scores of a hand sum to one");
  await made.setOptions({ cannedGesturesClassifierOptions: { categoryDenylist: ["Closed_Fist", "None"] } });
  assert.equal(made.recognize(frame(77)).gestures[0][0].categoryName, scores.find(({ categoryName }) =>
    !["Closed_Fist", "None"].includes(categoryName)).categoryName);
  await made.setOptions({ cannedGesturesClassifierOptions: { categoryAllowlist: ["Victory"], scoreThreshold: 0.9 } });
  assert.deepEqual(made.recognize(frame(77)).gestures[0], [{ categoryName: "None", score: 0, index: -1, displayName: "" }]);
});

test("the demo in I420 has the events of a server's CPU", async () => {
  const engine = await Engine.load(fileset), events = [];
  engine.onReport = (report) => { if (report.kind === "frame") events.push(...report.events); };
  await engine.open({});
  const planes = demoPixels("yuv420p"), bytes = width * height * 3 / 2;
  for (let index = 0; index < frameCount; index++) {
    const picture = { format: 3, width, height, bytes: planes.subarray(index * bytes, (index + 1) * bytes) };
    // At the grid's own times, in microseconds.
    engine.picture(picture, 100_000 * index);
  }
  engine.finish();
  engine.close();
  assert.deepEqual(events.map(({ event, label }) => [event === "begin" ? "begin" : "end", label]),
    wanted.map(({ event, label }) => [event, label]));
  // Both are rounded: to thousandths and microseconds here, to four and six digits there.
  events.forEach(({ label, confidence, onset, decision }, index) => {
    const there = wanted[index];
    assert(Math.abs(confidence - 1000 * there.confidence) <= 0.55, `${label}: ${confidence}, not ${there.confidence}`);
    for (const [here, seconds] of [[onset, there.onset_s], [decision, there.decision_s]]) {
      assert(Math.abs(here - 1e6 * seconds) < 2, `${label}: ${here} us, not ${seconds} s`);
    }
  });
});

test("a video has its moving gestures", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  assert.equal(made.labels.length, 12);
  const events = [];
  made.onGesture = (event) => events.push(event);
  let hands = 0;
  for (let index = 0; index < frameCount; index++) {
    hands += made.recognizeForVideo(frame(index), 100 * index).landmarks.length;
  }
  made.finish();
  assert(hands > 100, `${hands} hands`);
  for (const { type, time, onset, confidence } of events) {
    assert(["begin", "end"].includes(type) && onset <= time && confidence > 0 && confidence <= 1);
  }
  // Colours that were converted move a score a little, so that a gesture may be split.
  const begins = wanted.filter(({ event }) => event === "begin");
  for (const { label, decision_s: decision } of begins) {
    assert(events.some((event) => event.type === "begin" && event.label === label && Math.abs(event.time - 1000 * decision) < 200),
      `${label} at ${decision} s`);
  }
  assert(events.filter(({ type }) => type === "begin").length <= begins.length + 2);
});

test("thresholds and classes change while it runs", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  await made.setRecognition({ denied: ["grab", "swipeDown"], beginConfidence: 0.6 });
  assert.deepEqual(made.recognition.denied.sort(), ["grab", "swipeDown"]);
  assert(Math.abs(made.recognition.beginConfidence - 0.6) < 1e-6);
  const begins = showDemo(made);
  assert(begins.includes("swipeLeft") && !begins.includes("grab") && !begins.includes("swipeDown"), `${begins}`);
  await assert.rejects(made.setRecognition({ beginFrames: 0 }), refusal("refused"));
  await assert.rejects(made.setRecognition({ denied: ["salute"] }), refusal("option", /salute/));
  await assert.rejects(made.setRecognition({ loudness: 3 }), refusal("option", /loudness/));
});

test("options may change, and the state stays", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  await made.setRecognition({ denied: ["tap"] });
  made.recognizeForVideo(frame(0), 1000);
  await made.setOptions({ mirrored: true });
  assert.deepEqual(made.recognition.denied, ["tap"]);
  // What the camera sees go left goes right in a mirror; and the time may begin anew.
  const begins = showDemo(made);
  assert.deepEqual(begins.slice(0, 2), ["swipeDown", "swipeRight"]);
  await made.setOptions({ mirrored: undefined, runningMode: "IMAGE" });
  assert.equal(made.recognize(frame(77)).landmarks.length, 1);
});

test("a pose is taught, saved, forgotten and loaded", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  assert.throws(() => made.save(), refusal("refused", /nothing to save/));
  const phases = new Set();
  let taught = null, time = 0;
  const fist = frame(77).data;
  /** A held fist, with a little noise: pictures that do not change are refused. */
  const shown = () => ({ width, height, data: fist.map((value) => value + Math.random() * 4) });
  made.recognizeForVideo(shown(), time);
  const end = made.teach("mine", "pose", ({ phase }) => phases.add(phase)).then((report) => { taught = report; });
  for (; !taught && time < 20_000; time += 1000 / 30) {
    made.recognizeForVideo(shown(), time + 1000);
    await null;
  }
  await end;
  assert.equal(taught.label, "mine");
  assert(phases.has("gesture") && phases.has("learning"), [...phases].join());
  assert.deepEqual(made.taught, ["mine"]);
  assert(made.labels.includes("mine"));
  const file = made.save();
  await made.forget("mine");
  assert.deepEqual(made.taught, []);
  await assert.rejects(made.forget("mine"), refusal("refused"));
  await made.load(file);
  assert.deepEqual(made.taught, ["mine"]);
  assert.deepEqual(made.save(), file);
  // It is still there after other options, and in another recognizer.
  await made.setOptions({ numHands: 2 });
  assert.deepEqual(made.taught, ["mine"]);
  await assert.rejects(made.load(file.slice(0, 100)), refusal("refused"));
  await assert.rejects(made.load("mine"), refusal("option"));
  assert.deepEqual(made.taught, ["mine"]);
});

test("teaching can be stopped", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  const end = made.teach("mine");
  await assert.rejects(made.teach("other"), refusal("refused", /mine/));
  await made.stopTeaching();
  await assert.rejects(end, refusal("refused"));
  await assert.rejects(made.teach(""), refusal("refused"));
  const closed = made.teach("mine");
  await null;
  made.close();
  await assert.rejects(closed, refusal("closed"));
});

test("bad input is a typed error", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  const refuses = (call, ...wanted) => assert.throws(call, refusal(...wanted));
  made.recognizeForVideo(gray, 100);
  refuses(() => made.recognizeForVideo(gray, 100), "timestamp", /100/);
  refuses(() => made.recognizeForVideo(gray, 99), "timestamp");
  for (const time of [-1, NaN, Infinity, 2 ** 53, "200", undefined]) refuses(() => made.recognizeForVideo(gray, time), "timestamp");
  refuses(() => made.recognize(gray), "running-mode", /VIDEO/);
  for (const picture of [null, undefined, 7, {}, "hand.png"]) refuses(() => made.recognizeForVideo(picture, 200), "image");
  for (const [wide, high] of [[15, 100], [100, 15], [4097, 16], [16, 4097], [16.5, 16]]) {
    const data = new Uint8ClampedArray(Math.round(4 * wide * high));
    refuses(() => made.recognizeForVideo({ width: wide, height: high, data }, 200), "image", /16 to 4096/);
  }
  refuses(() => made.recognizeForVideo({ width: 100, height: 100, data: new Uint8ClampedArray(7) }, 200), "image");
  // None of them has changed anything.
  assert.deepEqual(made.recognizeForVideo(gray, 200).landmarks, []);
  for (const wanted of [{ numHands: 0 }, { numHands: 5 }, { numHands: 1.5 }, { minHandDetectionConfidence: 2 },
    { minHandPresenceConfidence: "much" }, { minTrackingConfidence: -1 }, { runningMode: "LIVE_STREAM" }, { rate: 25 },
    { mirrored: 1 }, { sensitivity: "huge" }, { fingers: 6 }, { cannedGesturesClassifierOptions: { maxResults: 0 } },
    { cannedGesturesClassifierOptions: { categoryAllowlist: ["None"], categoryDenylist: ["Victory"] } },
    { baseOptions: { modelAssetPath: "other.task" } }, { customGesturesClassifierOptions: {} }]) {
    await assert.rejects(made.setOptions(wanted), refusal("option"), JSON.stringify(wanted));
    await assert.rejects(GestureRecognizer.createFromOptions(fileset, wanted), refusal("option"), JSON.stringify(wanted));
  }
  const image = await recognizer({
    baseOptions: { delegate: "GPU", modelAssetPath: "/models/gesture_recognizer.task" }, minTrackingConfidence: 0.7,
  });
  assert.throws(() => image.recognizeForVideo(gray, 0), refusal("running-mode", /IMAGE/));
  const late = image.setOptions({ numHands: 2 });
  image.close();
  image.close();
  await assert.rejects(late, refusal("closed"));
  refuses(() => image.recognize(gray), "closed");
  refuses(() => image.finish(), "closed");
  refuses(() => image.labels, "closed");
  refuses(() => image.save(), "closed");
  for (const call of [() => image.setOptions({}), () => image.teach("mine"), () => image.setRecognition({}),
    () => image.load(new Uint8Array(8)), () => image.forget("mine")]) await assert.rejects(call(), refusal("closed"));
});

test("missing and broken files are a typed error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "web-"));
  after(() => rmSync(folder, { recursive: true }));
  const broken = async (breaks, ...wanted) => {
    rmSync(folder, { recursive: true });
    cpSync(web, folder, { recursive: true });
    breaks();
    const files = await FilesetResolver.forVisionTasks(pathToFileURL(folder));
    await assert.rejects(GestureRecognizer.createFromOptions(files), refusal(...wanted));
  };
  const palm = join(folder, "weights/palm-detection-lite.safetensors");
  await broken(() => rmSync(palm), "files", /palm-detection-lite/);
  await broken(() => truncateSync(palm, 500_000), "refused");
  await broken(() => truncateSync(palm, 0), "refused");
  await broken(() => writeFileSync(palm, readFileSync(palm).map((byte, index) => index === 300 ? byte ^ 1 : byte)), "refused");
  await broken(() => rmSync(join(folder, "gesture.wasm")), "files", /gesture\.wasm/);
  await broken(() => truncateSync(join(folder, "gesture.wasm"), 5000), "files", /gesture\.wasm/);
  await broken(() => writeFileSync(join(folder, "gesture.wasm"), "<!doctype html>"), "files", /gesture\.wasm/);
  // One that was missing and is there now is found.
  rmSync(folder, { recursive: true });
  cpSync(web, folder, { recursive: true });
  const files = await FilesetResolver.forVisionTasks(`${pathToFileURL(folder)}/`);
  rmSync(palm);
  await assert.rejects(GestureRecognizer.createFromOptions(files), refusal("files"));
  cpSync(join(web, "weights/palm-detection-lite.safetensors"), palm);
  (await GestureRecognizer.createFromOptions(files)).close();
});

test("sizes beyond 32 bits are refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "web-"));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(web, folder, { recursive: true });
  /** A safetensors file of one tensor. */
  const file = (shape, offsets, length) => {
    const header = Buffer.from(`{"x":{"dtype":"I8","shape":[${shape}],"data_offsets":[${offsets}]}}`), size = Buffer.alloc(8);
    size.writeBigUInt64LE(length ?? BigInt(header.length));
    return Buffer.concat([size, header]);
  };
  const files = [
    // Products, sums, offsets and lengths that an Int of 32 bits would wrap to 0 or to a small number.
    file("65536,65536", "0,0"), file("65536,65536,16", "0,0"), file("4294967296", "0,0"), file("2147483648", "0,2147483648"),
    file("1", "4294967296,4294967297"), file("1", "0,18446744073709551617"), file("1", "0,1", 1n << 32n),
    file("1", "0,1", (1n << 32n) + 60n), file("1", "0,1", (1n << 64n) - 1n),
  ];
  for (const [index, bytes] of files.entries()) {
    writeFileSync(join(folder, "weights/palm-detection-lite.safetensors"), bytes);
    const fresh = await FilesetResolver.forVisionTasks(pathToFileURL(folder));
    await assert.rejects(GestureRecognizer.createFromOptions(fresh), refusal("refused"), `file ${index}`);
  }
});

test("an engine that stops is a typed error, and another one works", async () => {
  const { instantiate } = WebAssembly;
  let made;
  try {
    WebAssembly.instantiate = async (...values) => {
      const { exports } = await instantiate(...values);
      return { exports: { ...exports, picture() { throw new WebAssembly.RuntimeError("unreachable"); } } };
    };
    made = await recognizer({ runningMode: "VIDEO" });
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  assert.throws(() => made.recognizeForVideo(gray, 0), refusal("crashed", /unreachable/));
  assert.throws(() => made.recognizeForVideo(gray, 100), refusal("closed"));
  const other = await recognizer({ runningMode: "VIDEO" });
  assert.deepEqual(other.recognizeForVideo(gray, 0).landmarks, []);
});

test("a browser without SIMD is told which have it", async () => {
  assert.equal(await FilesetResolver.isSimdSupported(), true);
  const { validate } = WebAssembly;
  try {
    WebAssembly.validate = () => false;
    await assert.rejects(FilesetResolver.forVisionTasks(), refusal("no-simd", /Firefox from 89/));
  } finally {
    WebAssembly.validate = validate;
  }
});

test("two recognizers do not know of each other", async () => {
  const [one, other] = [await recognizer({ runningMode: "VIDEO" }), await recognizer({ runningMode: "VIDEO", mirrored: true })];
  await one.setRecognition({ denied: ["grab"] });
  assert.deepEqual(other.recognition.denied, []);
  const begins = { one: [], other: [] };
  one.onGesture = ({ type, label }) => { if (type === "begin") begins.one.push(label); };
  other.onGesture = ({ type, label }) => { if (type === "begin") begins.other.push(label); };
  for (let index = 0; index < 80; index++) {
    one.recognizeForVideo(frame(index), 100 * index);
    other.recognizeForVideo(frame(index), 100 * index);
  }
  assert.deepEqual(begins, { one: ["swipeDown", "swipeLeft"], other: ["swipeDown", "swipeRight", "grab"] });
});
