// Tests of gesture.js without a browser: WEB=FOLDER node --test Tools/web/test.mjs. FOLDER is what Tools/web/build makes,
// .build/web unless it is given. Pictures come from the demo by ffmpeg.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const web = resolve(process.env.WEB ?? ".build/web");
const {
  DrawingUtils, FilesetResolver, GestureCamera, GestureError, GestureRecognizer, HandLandmarker, PoseLandmarker,
} = await import(pathToFileURL(join(web, "gesture.js")));
const { Engine } = await import(pathToFileURL(join(web, "gesture/engine.js")));
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

test("luma and chroma of BT.709 become the same colours", async () => {
  const engine = await Engine.load(fileset), bytes = width * height * 3 / 2;
  await engine.open({});
  /** The thumb's tip, in pixels, in a frame of the demo. */
  const tip = (format, matrix) => {
    const planes = execFileSync("ffmpeg", ["-v", "error", "-i", "Weights/demo/hands.mp4", "-vf",
      `select=eq(n\\,77),scale=in_color_matrix=bt601:out_color_matrix=${matrix}`, "-frames:v", "1", "-pix_fmt", "yuv420p",
      "-f", "rawvideo", "-"], { maxBuffer: 1 << 24 });
    assert.equal(planes.length, bytes);
    const [hand] = engine.look({ format, width, height, bytes: planes });
    return [width * hand[24], height * hand[25]];
  };
  const [x, y] = tip(3, "bt601"), [otherX, otherY] = tip(19, "bt709");
  assert(Math.hypot(x - otherX, y - otherY) < 2, `${x} ${y}, ${otherX} ${otherY}`);
  for (const format of [0, 7, 16, 17, 22, 35]) {
    const picture = { format, width: 16, height: 16, bytes: new Uint8Array(1024) };
    assert.throws(() => engine.look(picture), refusal("refused", /18 to 21/));
  }
  engine.close();
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
  await made.setRecognition({ deniedClasses: ["grab", "swipeDown"], beginConfidence: 0.6 });
  assert.deepEqual(made.recognition.deniedClasses.sort(), ["grab", "swipeDown"]);
  assert(Math.abs(made.recognition.beginConfidence - 0.6) < 1e-6);
  const begins = showDemo(made);
  assert(begins.includes("swipeLeft") && !begins.includes("grab") && !begins.includes("swipeDown"), `${begins}`);
  await assert.rejects(made.setRecognition({ beginFrames: 0 }), refusal("refused"));
  await assert.rejects(made.setRecognition({ deniedClasses: ["salute"] }), refusal("option", /salute/));
  await assert.rejects(made.setRecognition({ loudness: 3 }), refusal("option", /loudness/));
});

test("options may change, and the state stays", async () => {
  const made = await recognizer({ runningMode: "VIDEO" });
  await made.setRecognition({ deniedClasses: ["tap"] });
  made.recognizeForVideo(frame(0), 1000);
  await made.setOptions({ mirrored: true });
  assert.deepEqual(made.recognition.deniedClasses, ["tap"]);
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
  assert.deepEqual(made.userGestures, ["mine"]);
  assert(made.labels.includes("mine"));
  const file = made.save();
  await made.forget("mine");
  assert.deepEqual(made.userGestures, []);
  await assert.rejects(made.forget("mine"), refusal("refused"));
  await made.load(file);
  assert.deepEqual(made.userGestures, ["mine"]);
  assert.deepEqual(made.save(), file);
  // It is still there after other options, and in another recognizer.
  await made.setOptions({ numHands: 2 });
  assert.deepEqual(made.userGestures, ["mine"]);
  await assert.rejects(made.load(file.slice(0, 100)), refusal("refused"));
  await assert.rejects(made.load("mine"), refusal("option"));
  assert.deepEqual(made.userGestures, ["mine"]);
});

/** Has what functions of the page throw kept in a list instead of on the console. */
async function thrown(body) {
  const errors = [];
  globalThis.reportError = (error) => errors.push(error);
  try {
    await body();
  } finally {
    delete globalThis.reportError;
  }
  return errors;
}

test("what a page's function throws goes to the console, and the engine goes on", async () => {
  const made = await recognizer({ runningMode: "VIDEO" }), small = { width: 64, height: 64, data: gray.data.subarray(0, 4 * 64 * 64) };
  let count = 0;
  const deep = () => deep() + 1;
  made.onReport = ({ kind }) => {
    if (kind !== "frame") return;
    count += 1;
    if (count % 3 === 0) deep();
    if (count % 3 === 1) throw new RangeError("mine");
    throw new Error("mine");
  };
  const errors = await thrown(() => {
    for (let index = 0; index < 1000; index++) made.recognizeForVideo(small, 33 * index);
  });
  assert.equal(count, 1000);
  assert.equal(errors.length, 1000);
  assert.equal(errors.filter(({ message }) => message === "mine").length, 667);
  made.onReport = null;
  const hands = Array.from({ length: 20 }, (_, index) => made.recognizeForVideo(frame(77), 1e6 + 100 * index).landmarks.length);
  assert(hands.includes(1), "no hand is found any more");
});

test("a page's function may call everything", async () => {
  const made = await recognizer({ runningMode: "VIDEO" }), ends = [];
  let depth = 0, most = 0, inner = 0;
  made.onReport = ({ kind, time }) => {
    if (kind !== "frame") return;
    depth += 1;
    most = Math.max(most, depth);
    // A picture that comes while another one is reported on.
    if (time % 2 === 0) {
      made.recognizeForVideo(frame(77), time / 1000 + 0.001);
      inner += 1;
    }
    depth -= 1;
  };
  made.onGesture = ({ type }) => {
    if (type === "begin") ends.push(made.setOptions({ mirrored: true }), made.setRecognition({ beginFrames: 3 }));
  };
  const errors = await thrown(async () => {
    for (let index = 0; index < 40 && !ends.length; index++) {
      // The result is that of the outer picture.
      const hands = made.recognizeForVideo(index < 3 ? gray : frame(index), 100 * index).landmarks.length;
      assert(index > 2 || hands === 0, "the hands are those of a picture of the function");
    }
    assert.equal(ends.length, 2);
    await Promise.all(ends);
  });
  assert.deepEqual(errors, []);
  assert(inner > 2 && most === 1, `${inner} pictures, ${most} deep`);
  assert.equal(made.options.mirrored, true);
  assert.equal(made.recognition.beginFrames, 3);
  let count = 0;
  made.onGesture = null;
  made.onReport = () => { count += 1; made.close(); };
  made.recognizeForVideo(gray, 1e6);
  assert.equal(count, 1);
  assert.throws(() => made.recognizeForVideo(gray, 2e6), refusal("closed"));
});

test("options that begin anew end the teaching, and those that fail change nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "web-"));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(web, folder, { recursive: true });
  const made = await GestureRecognizer.createFromOptions(
    await FilesetResolver.forVisionTasks(pathToFileURL(folder)), { runningMode: "VIDEO" });
  after(() => made.close());
  const first = assert.rejects(made.teach("wave"), refusal("refused", /wave.*again/));
  await made.setOptions({ minHandDetectionConfidence: 0.4 });
  await first;
  await made.stopTeaching();
  const second = made.teach("other");
  // These do not.
  await made.setOptions({ minTrackingConfidence: 0.7 });
  await assert.rejects(made.teach("third"), refusal("refused", /other is being taught/));
  await made.stopTeaching();
  await assert.rejects(second, refusal("refused", /Stopped/));
  // Both of two changes at once are made, and a command that comes meanwhile is not lost.
  const end = assert.rejects(made.teach("wave"), refusal("refused"));
  await Promise.all([made.setOptions({ numHands: 2 }), made.setOptions({ mirrored: true }), made.setRecognition({ endFrames: 9 }), end]);
  assert.deepEqual([made.options.numHands, made.options.mirrored, made.recognition.endFrames], [2, true, 9]);
  // People need files that are not there.
  renameSync(join(folder, "weights/pose-detection.safetensors"), join(folder, "weights/gone"));
  const settings = { rate: 30, isMirrored: true, hasHeldPoses: false, deniedClasses: [], bodies: "points" };
  await assert.rejects(made.perform({ do: "settings", settings }), refusal("files", /pose-detection/));
  await assert.rejects(made.setBodies("points"), refusal("files", /pose-detection/));
  await assert.rejects(made.setArms(true), refusal("files", /pose-detection/));
  const { instantiate } = WebAssembly;
  const teaching = made.teach("wave");
  await null;
  try {
    WebAssembly.instantiate = async () => { throw new RangeError("could not allocate memory"); };
    await assert.rejects(made.setOptions({ numHands: 3 }), refusal("crashed", /allocate memory/));
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  assert.equal(made.options.numHands, 2);
  await made.stopTeaching();
  await assert.rejects(teaching, refusal("refused", /Stopped/));
  assert.deepEqual(made.recognizeForVideo(gray, 0).landmarks, []);
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
  const { recognition } = made;
  made.recognizeForVideo(gray, 100);
  refuses(() => made.recognizeForVideo(gray, 100), "timestamp", /100/);
  refuses(() => made.recognizeForVideo(gray, 99), "timestamp");
  for (const time of [-1, NaN, Infinity, 2 ** 53, "200", undefined, 2n, Symbol("now"), 100.0004]) refuses(() => made.recognizeForVideo(gray, time), "timestamp");
  refuses(() => made.recognize(gray), "running-mode", /VIDEO/);
  for (const picture of [null, undefined, 7, {}, "hand.png"]) refuses(() => made.recognizeForVideo(picture, 200), "image");
  for (const [wide, high] of [[15, 100], [100, 15], [4097, 16], [16, 4097], [16.5, 16]]) {
    const data = new Uint8ClampedArray(Math.round(4 * wide * high));
    refuses(() => made.recognizeForVideo({ width: wide, height: high, data }, 200), "image", /16 to 4096/);
  }
  refuses(() => made.recognizeForVideo({ width: 100, height: 100, data: new Uint8ClampedArray(7) }, 200), "image");
  const circle = {};
  circle.circle = circle;
  for (const changes of [null, undefined, 7, { beginConfidence: NaN }, { beginFrames: Infinity }, { beginFrames: null }, { endFrames: 1.5 },
    { deniedClasses: "tap" }, { deniedClasses: [7] }, { deniedClasses: null }, { constructor: 1 }]) {
    await assert.rejects(made.setRecognition(changes), refusal("option"), inspect(changes));
  }
  for (const command of [null, undefined, "stop", circle, { do: 2n }, { do: "settings", settings: { beginConfidence: NaN } },
    { toJSON() {} }, { do: "load", file: "A".repeat(3 << 20) }]) {
    await assert.rejects(made.perform(command), refusal("option"), inspect(command).slice(0, 80));
  }
  for (const bodies of [undefined, "dance", 7, {}]) await assert.rejects(made.setBodies(bodies), refusal("option", /squat/));
  await assert.rejects(made.setArms("on"), refusal("option", /on/));
  refuses(() => made.recognizeForVideo(gray, 200, { rotationDegrees: 90 }), "option", /rotation/);
  for (const values of [[null], [7], [Symbol("wave")], ["wave", "dance"], ["wave", null], ["wave", "pose", "soon"]]) {
    await assert.rejects(made.teach(...values), refusal("option"), inspect(values));
  }
  await assert.rejects(FilesetResolver.forVisionTasks(Symbol("here")), refusal("option"));
  await assert.rejects(made.perform({}), refusal("refused"));
  await assert.rejects(made.load(new Uint8Array((1 << 20) + 1)), refusal("refused", /1048576/));
  // Of a gigabyte, too, no byte is looked at.
  const begin = performance.now();
  await assert.rejects(made.load(new ArrayBuffer(2 ** 30)), refusal("refused", /1073741824 bytes/));
  assert(performance.now() - begin < 1000);
  const given = new ArrayBuffer(8);
  structuredClone(given, { transfer: [given] });
  await assert.rejects(made.load(given), refusal("refused"));
  // None of them has changed anything.
  assert.deepEqual(made.recognition, { ...recognition, deniedClasses: [] });
  assert.deepEqual(made.recognizeForVideo(gray, 200).landmarks, []);
  for (const wanted of [{ numHands: 0 }, { numHands: 5 }, { numHands: 1.5 }, { minHandDetectionConfidence: 2 },
    { minHandPresenceConfidence: "much" }, { minTrackingConfidence: -1 }, { runningMode: "LIVE_STREAM" }, { rate: 25 },
    { mirrored: 1 }, { arms: 1 }, { pointer: 1 }, { pointer: "mirrored" }, { pointer: null }, { pointer: { finger: 1 } },
    { pointer: { pressGap: 0 } }, { pointer: { releaseGap: NaN } }, { pointer: { isMirrored: "yes" } }, { pointer: { region: 1 } },
    { pointer: { region: { x: 2 } } }, { pointer: { region: { left: 0 } } }, { pointer: { smoothing: { speedCutoff: 0 } } },
    { pointer: { lostHandTime: 2001 } }, { pointer: { screenAspect: Infinity } },
    { sensitivity: "huge" }, { fingers: 6 }, { cannedGesturesClassifierOptions: { maxResults: 0 } },
    { cannedGesturesClassifierOptions: { categoryAllowlist: ["None"], categoryDenylist: ["Victory"] } },
    { baseOptions: { modelAssetPath: "other.task" } }, { customGesturesClassifierOptions: {} }, null, 7,
    { numHands: null }, { minHandDetectionConfidence: 0 }, { minHandPresenceConfidence: 1 }, { minHandDetectionConfidence: NaN },
    { constructor: 1 }, { toString: 1 }, JSON.parse('{ "__proto__": 1 }'), { rate: circle }, { rate: Symbol("fast") }, { numHands: 2n },
    { cannedGesturesClassifierOptions: { constructor: 1 } }, { cannedGesturesClassifierOptions: { scoreThreshold: NaN } },
    { cannedGesturesClassifierOptions: { categoryDenylist: [7] } }, { baseOptions: { modelAssetPath: Symbol("model") } }]) {
    await assert.rejects(made.setOptions(wanted), refusal("option"), inspect(wanted));
    await assert.rejects(GestureRecognizer.createFromOptions(fileset, wanted), refusal("option"), inspect(wanted));
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

/** Pictures of a person who does squats, ten a second. */
const [personWidth, personHeight] = [480, 270];
const person = execFileSync("ffmpeg", ["-v", "error", "-t", "3", "-i", "Tests/Fixtures/body/squat-front.mp4", "-vf",
  `fps=10,scale=${personWidth}:${personHeight}`, "-pix_fmt", "rgba", "-f", "rawvideo", "-"], { maxBuffer: 1 << 28 });
const personFrame = (index) => ({
  width: personWidth, height: personHeight,
  data: new Uint8ClampedArray(person.buffer, person.byteOffset + index * 4 * personWidth * personHeight, 4 * personWidth * personHeight),
});

test("hands without gestures, as in MediaPipe's landmarker", async () => {
  const made = await HandLandmarker.createFromOptions(fileset, { numHands: 2 });
  after(() => made.close());
  const { landmarks, worldLandmarks, handedness, handednesses, gestures } = made.detect(frame(77));
  assert.equal(gestures, undefined);
  const recognized = (await recognizer({ numHands: 2 })).recognize(frame(77));
  assert.deepEqual({ landmarks, worldLandmarks, handedness, handednesses, gestures: recognized.gestures }, recognized);
  assert.throws(() => made.detectForVideo(gray, 0), refusal("running-mode", /detect/));
  await made.setOptions({ runningMode: "VIDEO", numHands: 1 });
  let count = 0;
  for (let index = 0; index < 60; index++) count += made.detectForVideo(frame(index), 100 * index).landmarks.length;
  assert(count > 20, `${count} hands`);
  assert.throws(() => made.detectForVideo(gray, 100), refusal("timestamp"));
  for (const wanted of [{ numHands: 9 }, { numPoses: 1 }, { mirrored: true }, { baseOptions: { modelAssetPath: "pose_landmarker_full.task" } }]) {
    await assert.rejects(made.setOptions(wanted), refusal("option"), inspect(wanted));
  }
  await made.setOptions({ baseOptions: { modelAssetPath: "/models/hand_landmarker.task" } });
  assert.equal(made.detectForVideo(gray, 1e5).landmarks.length, 0);
  made.close();
  assert.throws(() => made.detectForVideo(gray, 2e5), refusal("closed"));
  await assert.rejects(made.setOptions({}), refusal("closed"));
});

test("hands are pointers", async () => {
  const made = await recognizer({ runningMode: "VIDEO", pointer: { isMirrored: false } }), reports = [];
  made.onReport = (report) => { if (report.kind === "frame") reports.push(report); };
  const events = new Set();
  let count = 0;
  for (let index = 0; index < 60; index++) {
    const { pointers: [first, second], pointerPair, landmarks: [points] } = made.recognizeForVideo(frame(index), 100 * index);
    assert.deepEqual([second.state, second.identity, second.handedness, second.events, pointerPair], ["absent", null, null, [], null]);
    assert.deepEqual(reports.at(-1).pointers, [first, second]);
    for (const name of first.events) events.add(name);
    assert(first.x >= 0 && first.x <= 1 && first.y >= 0 && first.y <= 1 && first.confidence >= 0 && first.confidence <= 1, inspect(first));
    if (!points || first.state === "absent") continue;
    count += 1;
    assert.equal(first.identity, reports.at(-1).hands[0].id);
    assert.equal(first.handedness, reports.at(-1).hands[0].side);
    // The palm, within what the filter lags.
    const palm = (points[0].x + points[5].x + points[17].x) / 3;
    assert(Math.abs(first.x - Math.min(1, Math.max(0, (palm - 0.2) / 0.6))) < 0.15, `${first.x}, palm ${palm}`);
  }
  assert(count > 20 && ["entered", "moved", "left"].every((name) => events.has(name)), `${count}, ${[...events]}`);
  // They stay with other settings, and go with the option.
  await made.setRecognition({ beginFrames: 4 });
  assert.equal(made.recognizeForVideo(gray, 6000).pointers.length, 2);
  await made.setOptions({ pointer: undefined });
  assert.equal("pointers" in made.recognizeForVideo(gray, 0), false);
  assert.deepEqual([reports.at(-1).pointers, reports.at(-1).pointerPair], [[], null]);
  await assert.rejects(made.setOptions({ pointer: { pressGap: 0.5 } }), refusal("refused", /releaseGap/));
  assert.equal(made.options.pointer, undefined);
});

test("drawn hands press, drag, scroll, and turn together", async () => {
  const made = await recognizer({ runningMode: "VIDEO", pointer: true, numHands: 2 });
  const clip = execFileSync("ffmpeg", ["-v", "error", "-i", "Tests/Fixtures/hands/pointing.mp4", "-vf", "fps=15", "-pix_fmt", "rgba", "-f",
    "rawvideo", "-"], { maxBuffer: 1 << 28 });
  const words = [], pairs = [];
  for (let at = 0; at < clip.length; at += frameBytes) {
    const data = new Uint8ClampedArray(clip.buffer, clip.byteOffset + at, frameBytes);
    const { pointers: [first], pointerPair } = made.recognizeForVideo({ width, height, data }, 1000 * at / frameBytes / 15);
    for (const name of first.events) {
      if (name === "pressed") assert.equal(first.state, "pressed");
      if (name === "dragged") assert.equal(first.state, first.events.includes("released") ? "hovering" : "dragging");
      if (name === "released") assert.equal(first.releaseReason, "opened");
      if (name === "scrolled") assert(Math.abs(first.scroll.x) < 0.05 && first.scroll.y < 0.01, inspect(first.scroll));
      if (name !== "moved" && name !== words.at(-1)) words.push(name);
    }
    if (pointerPair) pairs.push(pointerPair);
  }
  const press = ["pressed", "dragged", "released"];
  assert.deepEqual(words, ["entered", "pressed", "released", "clicked", ...press, ...press, "scrolled", ...press]);
  // They begin side by side, and end apart and turned counterclockwise.
  const { distance, zoom, rotation } = pairs.at(-1);
  assert(Math.abs(pairs[0].zoom - 1) < 0.01 && zoom > 1.8 && distance > 0.5 && rotation < -0.4, inspect(pairs.at(-1)));
});

const bench = ".build/release/gesture-bench";
test("pointers are those of gesture-bench", { skip: existsSync(bench) ? false : `${bench} is missing` }, () => {
  const text = execFileSync(process.execPath,
    ["Tools/web/agreement.mjs", "--web", web, "--bench", bench, "Tests/Fixtures/hands/pointing.mp4"], { encoding: "utf8" });
  assert.match(text, /(\d+) of \1 frames with pointers agree, with [1-9]/);
});

test("people, as in MediaPipe's landmarker", async () => {
  const made = await PoseLandmarker.createFromOptions(fileset), told = [];
  after(() => made.close());
  const { landmarks, worldLandmarks } = made.detect(personFrame(0), (result) => told.push(result.landmarks.length));
  assert.deepEqual([landmarks.length, worldLandmarks.length, told], [1, 1, [1]]);
  assert.deepEqual([landmarks[0].length, worldLandmarks[0].length], [33, 33]);
  const [nose, hip, ankle] = [0, 24, 28].map((index) => landmarks[0][index]);
  assert(nose.y < hip.y && hip.y < ankle.y && nose.visibility > 0.5 && nose.visibility <= 1, inspect([nose, hip, ankle]));
  for (const { x, y, z } of worldLandmarks[0]) assert(Math.hypot(x, y, z) < 2, "a point of a person is two metres from the hips");
  assert.equal(PoseLandmarker.POSE_CONNECTIONS.length, 35);
  await made.setOptions({ runningMode: "VIDEO", numPoses: 2 });
  for (let index = 0; index < 10; index++) assert.equal(made.detectForVideo(personFrame(index), 100 * index).landmarks.length, 1);
  assert.throws(() => made.detectForVideo(personFrame(0), 2000, { rotationDegrees: 90 }), refusal("option", /rotation/));
  await assert.rejects(made.setOptions({ outputSegmentationMasks: true }), refusal("option", /no masks/));
  await assert.rejects(PoseLandmarker.createFromOptions(fileset, { numPoses: 5 }), refusal("option"));
});

test("arms and people beside gestures", async () => {
  const made = await recognizer({ runningMode: "VIDEO" }), reports = [];
  made.onReport = (report) => reports.push(report);
  const last = (kind) => reports.findLast((report) => report.kind === kind);
  const show = (from) => {
    for (let index = 0; index < 15; index++) made.recognizeForVideo(personFrame(index), from + 100 * index);
  };
  show(0);
  assert.deepEqual([last("frame").arms, last("frame").bodies], [null, null]);
  await made.setArms(true);
  assert.equal(last("settings").watchesArms, true);
  show(2000);
  const { points } = reports.findLast(({ arms }) => arms)?.arms ?? { points: [] };
  // The left shoulder of a person who faces the camera is on the right.
  assert(points.length === 18 && points[0] > points[3], inspect(points));
  assert.equal(last("frame").bodies, null);
  await made.setBodies("squat");
  show(4000);
  const { people: [one], phase } = last("frame").bodies;
  assert.deepEqual([one.points.length, one.worldPoints.length, typeof phase], [165, 99, "string"]);
  assert(one.points instanceof Float32Array && last("frame").scores instanceof Float32Array);
  // Both stay with other options.
  await made.setOptions({ numHands: 2 });
  assert.deepEqual([last("settings").watchesArms, last("settings").settings.bodies, last("settings").maximumHands], [true, "squat", 2]);
  await made.setBodies(null);
  await made.setArms(false);
  show(0);
  assert.deepEqual([last("frame").arms, last("frame").bodies, last("settings").watchesArms], [null, null, false]);
  // The networks bring arms, unless they are not wanted.
  for (const arms of [undefined, false]) {
    const other = await recognizer({ runningMode: "VIDEO", arms }), settings = [];
    other.onReport = (report) => { if (report.kind === "settings") settings.push(report.watchesArms); };
    await other.setBodies("points");
    assert.equal(settings.at(-1), arms !== false);
  }
});

test("the demo has its gestures with arms, too", async () => {
  const made = await recognizer({ runningMode: "VIDEO", arms: true });
  assert.deepEqual(showDemo(made).slice(0, 2), ["swipeDown", "swipeLeft"]);
});

test("points and bones are drawn", () => {
  const calls = [], pen = new Proxy({ canvas: { width: 200, height: 100 } }, {
    get: (target, name) => name in target ? target[name] : (...values) => calls.push([name, ...values]),
  });
  const utils = new DrawingUtils(pen), points = [{ x: 0.5, y: 0.5, z: 0 }, { x: 1, y: 0, z: 1 }];
  utils.drawConnectors(points, [{ start: 0, end: 1 }, { start: 1, end: 7 }], { color: "red", lineWidth: ({ to }) => 2 + to.z });
  assert.deepEqual([pen.strokeStyle, pen.lineWidth], ["red", 3]);
  assert.deepEqual(calls, [["save"], ["beginPath"], ["moveTo", 100, 50], ["lineTo", 200, 0], ["stroke"], ["restore"]]);
  calls.length = 0;
  utils.drawLandmarks(points.slice(0, 1), { color: "blue", radius: ({ index }) => index + 3 });
  assert.deepEqual(calls.filter(([name]) => name === "arc"), [["arc", 100, 50, 3, 0, 2 * Math.PI]]);
  assert.equal(pen.fillStyle, "blue");
  assert.equal(DrawingUtils.lerp(0.5, 0, 1, 10, 20), 15);
  assert.deepEqual([DrawingUtils.lerp(-1, 0, 1, 5, 1), DrawingUtils.lerp(2, 0, 1, 5, 1)], [5, 1]);
  utils.drawLandmarks();
  utils.drawConnectors();
});

test("the folder is a package", () => {
  const folder = mkdtempSync(join(tmpdir(), "web-")), run = (cwd, program, ...values) =>
    execFileSync(program, values, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  after(() => rmSync(folder, { recursive: true }));
  run(folder, "npm", "pack", "--silent", "--offline", web);
  const { version, license } = JSON.parse(readFileSync(join(web, "package.json")));
  assert.match(readFileSync("Sources/GestureEngine/Version.swift", "utf8"), new RegExp(`"${version.replaceAll(".", "\\.")}"`));
  assert.equal(license, "Apache-2.0");
  const modules = join(folder, "app/node_modules");
  mkdirSync(modules, { recursive: true });
  run(modules, "tar", "xzf", join(folder, `swift-gesture-${version}.tgz`));
  renameSync(join(modules, "package"), join(modules, "swift-gesture"));
  writeFileSync(join(folder, "app/try.mjs"), `import { HandLandmarker } from "swift-gesture";
    const made = await HandLandmarker.createFromOptions();
    console.log(made.detect({ width: 64, height: 64, data: new Uint8ClampedArray(4 * 64 * 64) }).landmarks.length);`);
  assert.equal(run(join(folder, "app"), process.execPath, "try.mjs").trim(), "0");
});

test("missing and broken files are a typed error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "web-"));
  after(() => rmSync(folder, { recursive: true }));
  const refused = async (breaks, ...wanted) => {
    rmSync(folder, { recursive: true });
    cpSync(web, folder, { recursive: true });
    breaks();
    const files = await FilesetResolver.forVisionTasks(pathToFileURL(folder));
    await assert.rejects(GestureRecognizer.createFromOptions(files), refusal(...wanted));
  };
  const palm = join(folder, "weights/palm-detection-lite.safetensors");
  await refused(() => rmSync(palm), "files", /palm-detection-lite/);
  await refused(() => truncateSync(palm, 500_000), "refused");
  await refused(() => truncateSync(palm, 0), "refused");
  await refused(() => writeFileSync(palm, readFileSync(palm).map((byte, index) => index === 300 ? byte ^ 1 : byte)), "refused");
  await refused(() => rmSync(join(folder, "gesture.wasm")), "files", /gesture\.wasm/);
  await refused(() => truncateSync(join(folder, "gesture.wasm"), 5000), "files", /gesture\.wasm/);
  await refused(() => writeFileSync(join(folder, "gesture.wasm"), "<!doctype html>"), "files", /gesture\.wasm/);
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

/** Makes something whose engine stops at its first picture. */
async function broken(make) {
  const { instantiate } = WebAssembly;
  try {
    WebAssembly.instantiate = async (...values) => {
      const { exports } = await instantiate(...values);
      return { exports: { ...exports, picture() { throw new WebAssembly.RuntimeError("unreachable"); } } };
    };
    return await make();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

test("an engine that stops is a typed error, and another one works", async () => {
  const made = await broken(() => recognizer({ runningMode: "VIDEO" }));
  const teaching = made.teach("mine");
  assert.throws(() => made.recognizeForVideo(gray, 0), refusal("crashed", /unreachable/));
  await assert.rejects(teaching, refusal("crashed"));
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
  await one.setRecognition({ deniedClasses: ["grab"] });
  assert.deepEqual(other.recognition.deniedClasses, []);
  const begins = { one: [], other: [] };
  one.onGesture = ({ type, label }) => { if (type === "begin") begins.one.push(label); };
  other.onGesture = ({ type, label }) => { if (type === "begin") begins.other.push(label); };
  for (let index = 0; index < 80; index++) {
    one.recognizeForVideo(frame(index), 100 * index);
    other.recognizeForVideo(frame(index), 100 * index);
  }
  assert.deepEqual(begins, { one: ["swipeDown", "swipeLeft"], other: ["swipeDown", "swipeRight", "grab"] });
});

/** Runs the body with the parts of a browser's page that a camera needs. */
async function onPage(makeWorker, body) {
  globalThis.document = { hidden: false, baseURI: pathToFileURL(web).href, addEventListener() {}, removeEventListener() {} };
  globalThis.Worker = function Worker() { return makeWorker(); };
  try {
    await body();
  } finally {
    delete globalThis.document;
    delete globalThis.Worker;
  }
}

test("a camera whose worker does not come is a typed error", async () => {
  await assert.rejects(GestureCamera.create(), refusal("camera", /page of a browser/));
  await assert.rejects(GestureCamera.create(null), refusal("option"));
  const worker = (begin) => () => {
    const made = { postMessage() {}, terminate() { made.isGone = true; } };
    setImmediate(begin, made);
    return made;
  };
  const refused = async (makeWorker, ...wanted) => {
    const told = [];
    await onPage(makeWorker, () => assert.rejects(GestureCamera.create({ onError: (error) => told.push(error) }), refusal(...wanted)));
    assert.deepEqual(told, [], "an error of create is told twice");
  };
  await refused(worker(({ onerror }) => onerror({})), "files", /missing/);
  await refused(worker(({ onerror }) => onerror({ message: "SyntaxError: Unexpected token" })), "files", /Unexpected token/);
  await refused(() => { throw new DOMException("not allowed", "SecurityError"); }, "files", /cannot be started/);
  // It fails once it has begun.
  await refused(worker(({ onmessage, onerror }) => { onmessage({ data: { kind: "ready" } }); setImmediate(onerror, { message: "no" }); }),
    "files", /no/);
  await onPage(worker(() => {}), () => assert.rejects(GestureCamera.create({ onGesture: "wave" }), refusal("option", /onGesture/)));
  // It never says a word.
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    await refused(worker(() => mock.timers.tick(20_000)), "files", /has not answered for 20 seconds/);
  } finally {
    mock.timers.reset();
  }
});

test("the camera's worker gets another engine after a crash, and says it if there is none", async () => {
  const told = [];
  Object.assign(globalThis, { postMessage: (message) => told.push(message), onmessage: null });
  let asked = 0;
  /** The answer to a message. */
  const ask = async (message) => {
    const id = ++asked, end = performance.now() + 20_000;
    globalThis.onmessage({ data: { ...message, id } });
    while (!told.some((other) => other.kind === "done" && other.id === id)) {
      assert(performance.now() < end, `${message.do} is never answered`);
      await new Promise(setImmediate);
    }
    return told.find((other) => other.id === id).error?.code;
  };
  let open = 0;
  const picture = (time) => {
    open += 1;
    return { do: "picture", frame: { ...gray, close() { open -= 1; } }, time, came: 0 };
  };
  const failures = () => told.filter(({ kind }) => kind === "failure").map(({ error }) => error.sentence);
  const { instantiate } = WebAssembly;
  try {
    await import(pathToFileURL(join(web, "gesture-worker.js")));
    assert.deepEqual(told, [{ kind: "ready" }]);
    const setup = { do: "open", base: pathToFileURL(web).href, options: {}, origin: performance.timeOrigin };
    assert.equal(await broken(() => ask(setup)), undefined);
    const settings = { rate: 60, isMirrored: true, hasHeldPoses: false, deniedClasses: ["tap"] };
    assert.equal(await ask({ do: "command", command: { do: "settings", settings } }), undefined);
    // The first stops the engine. Those that come meanwhile wait for another one.
    assert.deepEqual(await Promise.all([ask(picture(0)), ask({ do: "finish" }), ask(picture(1e5))]), [undefined, undefined, undefined]);
    assert.equal(await ask(picture(2e5)), undefined);
    assert.match(failures().join(), /unreachable\. Another one goes on\.$/);
    const reports = told.filter(({ kind }) => kind === "report").map(({ report }) => report);
    assert.deepEqual(reports.findLast(({ kind }) => kind === "settings").settings, settings);
    assert(reports.some(({ kind, time }) => kind === "frame" && time === 2e5));
    // Another setup whose engine stops, and no memory for the next.
    assert.equal(await broken(() => ask(setup)), undefined);
    WebAssembly.instantiate = async () => { throw new RangeError("could not allocate memory"); };
    for (let time = 0; time < 3; time++) assert.equal(await ask(picture(1e5 * time)), undefined);
    assert.equal(failures().length, 2, "it is told once");
    assert.match(failures()[1], /cannot be started: .*allocate memory/);
    assert.equal(await ask({ do: "finish" }), "crashed");
    assert.equal(await ask({ do: "command", command: { do: "stop" } }), "crashed");
    assert.equal(open, 0, "pictures stay open");
  } finally {
    WebAssembly.instantiate = instantiate;
    delete globalThis.postMessage;
    delete globalThis.onmessage;
  }
});

test("the build replaces only what it has made", () => {
  const folder = mkdtempSync(join(tmpdir(), "web-")), at = (...names) => join(folder, ...names);
  after(() => rmSync(folder, { recursive: true }));
  const check = (path, options = {}) => {
    const { status, stderr } = spawnSync(resolve("Tools/web/assemble"), ["--check", path], { encoding: "utf8", ...options });
    return status === 0 ? "" : stderr;
  };
  const refuses = (path, words, options) => assert.match(check(path, options), words, path);
  assert.equal(check(at("missing", "web")), "");
  mkdirSync(at("empty"));
  assert.equal(check(at("empty")), "");
  refuses(".", /holds .*, which a build would replace/, { cwd: at("empty") });
  refuses("..", /holds/, { cwd: at("empty") });
  for (const path of ["/", "Tools/..", ".", ".."]) refuses(path, /holds/);
  refuses(folder, /holds/, { env: { ...process.env, HOME: at("empty") } });
  writeFileSync(at("file"), "mine");
  refuses(at("file"), /is a file/);
  symlinkSync(at("empty"), at("link"));
  refuses(at("link"), /symbolic link/);
  refuses(at("link/"), /symbolic link/);
  // What the user has: a page, folders, links; and a build that was changed.
  mkdirSync(at("site"));
  writeFileSync(at("site", "index.html"), "mine");
  refuses(at("site"), /index\.html/);
  cpSync(web, at("build"), { recursive: true });
  assert.equal(check(at("build")), "");
  const changed = (name, change, words) => {
    const path = at("build", name), before = existsSync(path) && readFileSync(path);
    change(path);
    refuses(at("build"), words);
    rmSync(path, { recursive: true, force: true });
    if (before) writeFileSync(path, before);
  };
  changed("notes.txt", (path) => writeFileSync(path, "mine"), /made or that were changed since:\n    notes\.txt\nName/);
  changed("photos", (path) => mkdirSync(path), /    photos\nName/);
  changed("mine.js", (path) => symlinkSync("gesture.js", path), /    mine\.js\nName/);
  changed("page.css", (path) => appendFileSync(path, "p { color: red }"), /    page\.css\nName/);
  changed("index.html", (path) => appendFileSync(path, "<p>Mine"), /    index\.html\nName/);
  changed("version.js", (path) => rmSync(path), /    LICENSE\n/);
  assert.equal(check(at("build")), "", "a check or a test has left something");
});
