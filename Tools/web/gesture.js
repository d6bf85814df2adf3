/**
 * Hands and gestures in a browser, without a server: an ES module that needs gesture.wasm and the folder `weights` beside it.
 * Types and descriptions of every call are in gesture.d.ts.
 */

// MARK: Errors

/** What went wrong, as a sentence; `code` names it for programs. */
export class GestureError extends Error {
  constructor(code, sentence, options) {
    // What a browser says of its own errors may have no full stop.
    super(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, options);
    this.name = "GestureError";
    this.code = code;
  }
}

const closed = () => new GestureError("closed", "This recognizer is closed. Create another one.");

// MARK: Files

const handNetworks = [
  "palm-detection-lite", "hand-landmark-lite", "gesture-embedder", "canned-gesture-classifier", "hand-gestures",
];
const bodyNetworks = ["pose-detection", "pose-landmark-full"];

/** A module of one function that returns a vector: valid where SIMD128 is. */
const vectorModule = Uint8Array.of(
  0, 0x61, 0x73, 0x6D, 1, 0, 0, 0, // The header.
  1, 5, 1, 0x60, 0, 1, 0x7B, // The type: nothing to v128.
  3, 2, 1, 0, // One function of it.
  10, 22, 1, 20, 0, 0xFD, 12, ...new Array(16).fill(0), 11, // Its body: v128.const 0.
);

async function bytes(url, onLoading) {
  // Node reads files, and its fetch does not.
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    try {
      return new Uint8Array(await readFile(url));
    } catch (error) {
      throw new GestureError("files", `${url.pathname} cannot be read: ${error.message}`, { cause: error });
    }
  }
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new GestureError("files", `${url.href} cannot be loaded: ${error.message}`, { cause: error });
  }
  if (!response.ok) throw new GestureError("files", `${url.href} cannot be loaded: the server says ${response.status}.`);
  const reader = response.body.getReader(), parts = [];
  let count = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      count += part.value.length;
      onLoading?.(part.value.length);
    }
  } catch (error) {
    throw new GestureError("files", `${url.href} ended early: ${error.message}`, { cause: error });
  }
  const whole = new Uint8Array(count);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The files of a folder, each loaded once for all recognizers. */
class Fileset {
  #base;
  #module = null;
  #weights = new Map();

  constructor(base) {
    this.#base = base;
  }

  get base() { return this.#base.href; }

  module(onLoading) {
    return this.#module ??= this.#forgetFailure(async () => {
      const url = new URL("gesture.wasm", this.#base), code = await bytes(url, onLoading);
      try {
        return await WebAssembly.compile(code);
      } catch (error) {
        throw new GestureError("files", `${url.href} is not the engine: ${error.message}`, { cause: error });
      }
    }, () => { this.#module = null; });
  }

  hands(onLoading) { return this.#all(handNetworks, onLoading); }
  bodies(onLoading) { return this.#all(bodyNetworks, onLoading); }

  #all(names, onLoading) {
    return Promise.all(names.map((name) => {
      if (!this.#weights.has(name)) {
        const url = new URL(`weights/${name}.safetensors`, this.#base);
        this.#weights.set(name, this.#forgetFailure(() => bytes(url, onLoading), () => this.#weights.delete(name)));
      }
      return this.#weights.get(name);
    }));
  }

  /** A file that could not be loaded may be there at the next try. */
  async #forgetFailure(load, forget) {
    try {
      return await load();
    } catch (error) {
      forget();
      throw error;
    }
  }
}

export class FilesetResolver {
  static async isSimdSupported() {
    return typeof WebAssembly === "object" && WebAssembly.validate(vectorModule);
  }

  static async forVisionTasks(base = new URL(".", import.meta.url)) {
    if (!await FilesetResolver.isSimdSupported()) {
      throw new GestureError("no-simd", "This browser has no WebAssembly SIMD. Chrome and Edge have it from version 91 on, "
        + "Firefox from 89 and Safari from 16.4.");
    }
    const here = globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
    let url;
    try {
      url = new URL(base, here);
    } catch (error) {
      throw new GestureError("option", `${base} is not the address of a folder.`, { cause: error });
    }
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return new Fileset(url);
  }
}

// MARK: Engine

const handFloats = 138, handLimit = 4;
const formats = { rgba: 1, i420: 2, i420Video: 3, nv12: 4, nv12Video: 5, bgra: 6 };
const sides = { least: 16, most: 4096 };
/** The longest side of a picture that is drawn for the engine. */
const drawnSide = 1280;
const poseNames = [
  "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory", "ILoveYou",
];

/**
 * One instance of the engine in this thread, with one stream of pictures. `onReport` gets what the engine says, while a call
 * runs. The recognizer and the camera's worker are made of it.
 */
export class Engine {
  onReport = null;
  #exports;
  #fileset;
  #line = "";
  #failure = null;
  #room = { address: 0, bytes: 0 };
  #hasBodies = false;

  static async load(fileset, onLoading) {
    const module = await fileset.module(onLoading);
    const engine = new Engine();
    engine.#fileset = fileset;
    const text = (address, length) =>
      new TextDecoder().decode(new Uint8Array(engine.#exports.memory.buffer, address, length));
    const instance = await WebAssembly.instantiate(module, { env: {
      now: () => performance.now(),
      report: (address, length) => engine.#take(JSON.parse(text(address, length))),
      log: (address, length) => { engine.#line = text(address, length); },
    } });
    engine.#exports = instance.exports;
    return engine;
  }

  /** Begins anew with these options. */
  async open(options, onLoading) {
    this.#give(await this.#fileset.hands(onLoading), (files) =>
      this.#giveText(options, (address, length) => this.#exports.open(files, address, length)));
    this.#hasBodies = false;
  }

  /** Loads the networks of bodies, unless they are there. */
  async openBodies(onLoading) {
    if (this.#hasBodies) return;
    this.#give(await this.#fileset.bodies(onLoading), (files) => this.#exports.openBodies(files));
    this.#hasBodies = true;
  }

  command(command) {
    this.#checked(() => this.#giveText(command, (address, length) => this.#exports.command(address, length)));
  }

  /** - picture: format, width, height, bytes. time: microseconds. */
  picture(picture, time) { this.#picture(picture, time, (address, length) => this.#exports.picture(address, length)); }

  /** The hands of a single picture. */
  still(picture) {
    return this.#picture(picture, 0, (address, length) => this.#exports.still(address, length));
  }

  finish() { this.#checked(() => this.#exports.finish()); }

  /** The numbers of each hand of the latest picture. */
  hands() {
    return this.#checked(() => {
      const address = this.#reserve(handLimit * handFloats * 4);
      const count = this.#exports.hands(address);
      return Array.from({ length: count }, (_, index) =>
        new Float32Array(this.#exports.memory.buffer, address + index * handFloats * 4, handFloats).slice());
    });
  }

  #picture({ format, width, height, bytes }, time, call) {
    return this.#checked(() => {
      const length = 16 + bytes.length, address = this.#reserve(length);
      const head = new DataView(this.#exports.memory.buffer, address, 16);
      [0x47, 0x50, 1, format].forEach((byte, index) => head.setUint8(index, byte));
      head.setUint16(4, width, true);
      head.setUint16(6, height, true);
      head.setBigUint64(8, BigInt(Math.max(0, Math.round(time))), true);
      new Uint8Array(this.#exports.memory.buffer, address + 16, bytes.length).set(bytes);
      return call(address, length);
    });
  }

  /** Room for a picture or for hands, which stays until it is too small. */
  #reserve(bytes) {
    if (bytes > this.#room.bytes) {
      if (this.#room.address) this.#exports.release(this.#room.address);
      this.#room = { address: this.#exports.allocate(bytes), bytes };
    }
    return this.#room.address;
  }

  #give(files, call) {
    this.#checked(() => {
      const addresses = files.map((file) => this.#copy(file));
      const table = this.#copy(new Uint8Array(
        Uint32Array.from(files.flatMap((file, index) => [addresses[index], file.length])).buffer));
      const status = call(table);
      for (const address of [table, ...addresses]) this.#exports.release(address);
      return status;
    });
  }

  #giveText(value, call) {
    const text = new TextEncoder().encode(JSON.stringify(value)), address = this.#copy(text);
    const status = call(address, text.length);
    this.#exports.release(address);
    return status;
  }

  #copy(bytes) {
    const address = this.#exports.allocate(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  #take(report) {
    if (report.kind === "failure") this.#failure = report.sentence;
    this.onReport?.(report);
  }

  /** Makes a call, and throws the failure that it reports. */
  #checked(call) {
    if (!this.#exports) throw closed();
    this.#failure = null;
    let result;
    try {
      result = call();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.#exports = null;
      const line = (this.#line || error.message).trim();
      throw new GestureError("crashed", `The engine has stopped by a fault of its own: ${line}`, { cause: error });
    }
    if (this.#failure !== null) throw new GestureError("refused", this.#failure);
    return result;
  }

  close() { this.#exports = null; }
}

// MARK: Pictures

let drawing = null;

/** The sides of a source as it is shown; an error for one that has no picture. */
function shownSides(source) {
  const is = (name) => typeof globalThis[name] === "function" && source instanceof globalThis[name];
  if (is("HTMLVideoElement")) {
    if (source.readyState < 2 || !source.videoWidth) {
      throw new GestureError("no-picture", "The video has no picture yet. Wait for its event loadeddata.");
    }
    return [source.videoWidth, source.videoHeight];
  }
  if (is("HTMLImageElement")) {
    if (!source.complete || !source.naturalWidth) {
      throw new GestureError("no-picture", "The image is not loaded. Wait for its decode().");
    }
    return [source.naturalWidth, source.naturalHeight];
  }
  if (is("VideoFrame")) {
    if (source.format === null && !source.codedWidth) throw new GestureError("no-picture", "The VideoFrame is closed.");
    return [source.displayWidth, source.displayHeight];
  }
  if (is("HTMLCanvasElement") || is("OffscreenCanvas") || is("ImageBitmap")) {
    if (!source.width || !source.height) throw new GestureError("no-picture", "The picture has no pixels, or is closed.");
    return [source.width, source.height];
  }
  throw new GestureError("image", "A picture is a video, image or canvas element, or an OffscreenCanvas, ImageBitmap, "
    + "ImageData or VideoFrame.");
}

function checkSides(width, height) {
  const isGood = (side) => Number.isInteger(side) && side >= sides.least && side <= sides.most;
  if (isGood(width) && isGood(height)) return;
  throw new GestureError(
    "image", `The picture has ${width}x${height} pixels; its sides must be from ${sides.least} to ${sides.most}.`);
}

/** The pixels of a source, at once. */
export function pixels(source) {
  const data = source?.data;
  if (data && typeof source.width === "number") {
    checkSides(source.width, source.height);
    if (!(data instanceof Uint8ClampedArray || data instanceof Uint8Array) || data.length !== 4 * source.width * source.height) {
      throw new GestureError("image", "The data of an ImageData are four bytes a pixel.");
    }
    return { format: formats.rgba, width: source.width, height: source.height, bytes: data };
  }
  const [fullWidth, fullHeight] = shownSides(source);
  const scale = Math.min(1, drawnSide / Math.max(fullWidth, fullHeight));
  const [width, height] = [fullWidth, fullHeight].map((side) => Math.round(side * scale));
  checkSides(width, height);
  if (!drawing || drawing.width !== width || drawing.height !== height) drawing = new OffscreenCanvas(width, height);
  const pen = drawing.getContext("2d", { willReadFrequently: true });
  pen.drawImage(source, 0, 0, width, height);
  try {
    return { format: formats.rgba, width, height, bytes: pen.getImageData(0, 0, width, height).data };
  } catch (error) {
    // A canvas that has once held such an image stays unreadable.
    drawing = null;
    throw new GestureError("image", "The picture comes from another site, which has to allow its use (CORS).", { cause: error });
  }
}

/** The pixels of a VideoFrame as they are stored, if the engine reads that, or drawn. */
export async function storedPixels(frame) {
  const isFull = frame.colorSpace?.fullRange === true;
  const format = {
    I420: isFull ? formats.i420 : formats.i420Video, NV12: isFull ? formats.nv12 : formats.nv12Video,
    RGBA: formats.rgba, RGBX: formats.rgba, BGRA: formats.bgra, BGRX: formats.bgra,
  }[frame.format];
  const { width, height } = frame.visibleRect ?? {};
  const isAsShown = width === frame.displayWidth && height === frame.displayHeight && !frame.rotation && !frame.flip;
  if (!format || !isAsShown) return pixels(frame);
  checkSides(width, height);
  const halfWidth = (width + 1) >> 1, halfHeight = (height + 1) >> 1, luma = width * height;
  const planes = {
    I420: [[luma, width], [halfWidth * halfHeight, halfWidth], [halfWidth * halfHeight, halfWidth]],
    NV12: [[luma, width], [2 * halfWidth * halfHeight, 2 * halfWidth]],
  }[frame.format] ?? [[4 * luma, 4 * width]];
  let count = 0;
  const layout = planes.map(([size, stride]) => {
    const plane = { offset: count, stride };
    count += size;
    return plane;
  });
  const bytes = new Uint8Array(count);
  try {
    await frame.copyTo(bytes, { layout });
  } catch {
    // Some frames cannot be copied, such as those of protected memory or with an odd corner.
    return pixels(frame);
  }
  return { format, width, height, bytes };
}

// MARK: Options

/** Options that the engine has when it opens, with the defaults and what they may be. */
const isShare = (value) => typeof value === "number" && value >= 0 && value <= 1;
const isBoolean = (value) => typeof value === "boolean";
const engineOptions = {
  numHands: ["maximumHands", 1, "a whole number from 1 to 4", (value) => [1, 2, 3, 4].includes(value)],
  minHandDetectionConfidence: ["minimumPalmScore", 0.5, "a number from 0 to 1", isShare],
  minHandPresenceConfidence: ["minimumPresence", 0.5, "a number from 0 to 1", isShare],
  rate: ["rate", 30, "30, 60 or 120", (value) => [30, 60, 120].includes(value)],
  mirrored: ["mirrored", false, "true or false", isBoolean],
  heldPoses: ["heldPoses", false, "true or false", isBoolean],
  sensitivity: ["sensitivity", "medium", "low, medium or high", (value) => ["low", "medium", "high"].includes(value)],
};
const runningModes = ["IMAGE", "VIDEO"];
const otherOptions = {
  runningMode: ["IMAGE or VIDEO", (value) => runningModes.includes(value)],
  minTrackingConfidence: ["a number from 0 to 1", isShare],
  cannedGesturesClassifierOptions: ["an object of classifier options", (value) => typeof value === "object" && value !== null],
  baseOptions: ["an object", (value) => typeof value === "object" && value !== null],
};
const classifierOptions = {
  scoreThreshold: ["a number", (value) => typeof value === "number"],
  maxResults: ["a whole number other than 0", (value) => Number.isInteger(value) && value !== 0],
  categoryAllowlist: ["a list of names", Array.isArray],
  categoryDenylist: ["a list of names", Array.isArray],
};

function refuse(name, value, wanted) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  throw new GestureError("option", `${name} must be ${wanted}, not ${text}.`);
}

/** Lays options over others; undefined brings back the default. */
function merge(before, options) {
  if (typeof options !== "object" || options === null) refuse("options", options, "an object");
  const merged = { ...before };
  for (const [name, value] of Object.entries(options)) {
    const [wanted, isGood] = (engineOptions[name] ? engineOptions[name].slice(2) : otherOptions[name]) ?? [];
    if (!isGood) throw new GestureError("option", `There is no option ${name}.`);
    if (value === undefined) {
      delete merged[name];
      continue;
    }
    if (!isGood(value)) refuse(name, value, wanted);
    merged[name] = value;
  }
  for (const [name, value] of Object.entries(merged.cannedGesturesClassifierOptions ?? {})) {
    const [wanted, isGood] = classifierOptions[name] ?? [];
    if (!isGood) throw new GestureError("option", `There is no option cannedGesturesClassifierOptions.${name}.`);
    if (value !== undefined && !isGood(value)) refuse(`cannedGesturesClassifierOptions.${name}`, value, wanted);
  }
  const { categoryAllowlist, categoryDenylist } = merged.cannedGesturesClassifierOptions ?? {};
  if (categoryAllowlist?.length && categoryDenylist?.length) {
    throw new GestureError("option", "categoryAllowlist and categoryDenylist exclude each other.");
  }
  checkModel(merged.baseOptions ?? {});
  return merged;
}

/** The networks are those of the fileset: another model would be ignored, and that is an error. */
function checkModel(options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "delegate" && ["CPU", "GPU"].includes(value)) continue;
    if (name === "modelAssetPath" && /(^|\/)gesture_recognizer\.task$/.test(String(value))) continue;
    throw new GestureError(
      "option", `baseOptions.${name} has no use here: the networks are those of the fileset. Leave it out.`);
  }
}

/** The options as the engine takes them. */
function opening(options) {
  return Object.fromEntries(Object.entries(engineOptions).map(([name, [key, byDefault]]) => [key, options[name] ?? byDefault]));
}

// MARK: Results

const connections = [
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

/** What MediaPipe's recognizer returns, from the numbers of each hand. */
function result(hands, options) {
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

// MARK: Moving gestures

const toBase64 = (file) => {
  let text = "";
  for (let at = 0; at < file.length; at += 4096) text += String.fromCharCode(...file.subarray(at, at + 4096));
  return btoa(text);
};
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** What recognizer and camera share: moving gestures, their thresholds, and those that the user teaches. */
class GestureStream {
  onGesture = null;
  onReport = null;
  onError = null;
  options;
  #state = null;
  #teaching = null;

  constructor(options) { this.options = options; }

  /** Does a command of the page's protocol; rejects if it is refused. */
  async perform() { throw closed(); }

  get labels() { return this.#known.labels.filter((_, index) => index !== this.#known.nullIndex); }
  get taught() { return [...this.#known.taught]; }
  get recognition() {
    const { beginConfidence, beginFrames, endFrames, settings } = this.#known;
    return { beginConfidence, beginFrames, endFrames, denied: [...settings.denied] };
  }

  get #known() {
    if (!this.#state) throw closed();
    return this.#state;
  }

  /** The page's commands that make a new engine what this one is. */
  get restoring() {
    const { settings, file } = this.#known;
    return [...file ? [{ do: "load", file }] : [], { do: "settings", settings }];
  }

  async setRecognition(changes) {
    const known = ["beginConfidence", "beginFrames", "endFrames", "denied"];
    for (const name of Object.keys(changes)) {
      if (!known.includes(name)) throw new GestureError("option", `There is no threshold ${name}.`);
    }
    if (changes.denied) {
      const stranger = changes.denied.find((label) => !this.labels.includes(label));
      if (stranger !== undefined) throw new GestureError("option", `There is no gesture ${stranger} to deny.`);
    }
    await this.perform({ do: "settings", settings: { ...this.#known.settings, ...changes } });
  }

  async teach(label, kind = "movement", onProgress = null) {
    if (this.#teaching) throw new GestureError("refused", `${this.#teaching.label} is being taught. Stop that first.`);
    let settle;
    const end = new Promise((resolve, reject) => { settle = { resolve, reject }; });
    this.#teaching = { label, onProgress, ...settle };
    try {
      await this.perform({ do: "teach", label, gesture: kind });
    } catch (error) {
      this.#teaching = null;
      throw error;
    }
    return end;
  }

  async stopTeaching() { await this.perform({ do: "stop" }); }
  async forget(label) { await this.perform({ do: "forget", label }); }

  save() {
    const { file } = this.#known;
    if (!file) throw new GestureError("refused", "No gesture is taught, so there is nothing to save.");
    return fromBase64(file);
  }

  async load(file) {
    if (file instanceof ArrayBuffer) file = new Uint8Array(file);
    if (!(file instanceof Uint8Array)) throw new GestureError("option", "A file of gestures is a Uint8Array.");
    await this.perform({ do: "load", file: toBase64(file) });
  }

  /** Takes a report in. */
  receive(report, more) {
    if (report.kind === "settings") this.#state = report;
    this.onReport?.(report, more);
    if (report.kind === "teaching" || report.kind === "taught") this.#learn(report);
    if (report.kind === "frame") for (const event of report.events) this.onGesture?.(GestureStream.#event(event));
  }

  #learn(report) {
    const teaching = this.#teaching;
    if (!teaching) return;
    const { kind, ...progress } = report;
    if (kind === "teaching") teaching.onProgress?.(progress);
    if (kind === "taught" || progress.phase === "stopped") this.#teaching = null;
    if (progress.phase === "stopped") {
      teaching.reject(new GestureError("refused", report.sentence ?? "Stopped. Nothing was learned."));
    }
    if (kind !== "taught") return;
    if (report.refusal) teaching.reject(new GestureError("refused", report.refusal)); else teaching.resolve(progress);
  }

  static #event({ event, label, confidence, onset, decision }) {
    const isBegin = event === "begin";
    return {
      type: isBegin ? "begin" : "end", ...isBegin ? {} : { cause: event }, label, confidence: confidence / 1000,
      onset: onset / 1000, time: decision / 1000,
    };
  }

  /** No report will come any more. */
  end() {
    this.#teaching?.reject(closed());
    this.#state = this.#teaching = null;
  }
}

// MARK: Recognizer

export class GestureRecognizer extends GestureStream {
  static HAND_CONNECTIONS = Object.freeze(connections);
  #fileset;
  #engine = null;
  #isClosed = false;
  #latest = -Infinity;

  static async createFromOptions(...values) {
    const [fileset, given = {}] = values[0] instanceof Fileset
      ? values : [await FilesetResolver.forVisionTasks(), values[0]];
    const recognizer = new GestureRecognizer(merge({}, given));
    recognizer.#fileset = fileset;
    await recognizer.#open(recognizer.options, []);
    return recognizer;
  }

  async #open(options, commands) {
    const engine = await Engine.load(this.#fileset);
    engine.onReport = (report) => this.receive(report);
    await engine.open(opening(options));
    for (const command of commands) {
      if (command.settings?.bodies) await engine.openBodies();
      engine.command(command);
    }
    if (this.#isClosed) {
      engine.close();
      this.end();
      throw closed();
    }
    this.#engine?.close();
    [this.#engine, this.#latest] = [engine, -Infinity];
  }

  async setOptions(options) {
    if (!this.#engine) throw closed();
    const merged = merge(this.options, options);
    const isSame = JSON.stringify(opening(merged)) === JSON.stringify(opening(this.options));
    if (!isSame) {
      // The new options have a say in rate, mirror and held poses, which are settings, too.
      const { rate, mirrored: isMirrored, heldPoses: hasHeldPoses } = opening(merged);
      const commands = this.restoring.map((command) => command.settings
        ? { ...command, settings: { ...command.settings, rate, isMirrored, hasHeldPoses } } : command);
      await this.#open(merged, commands);
    }
    this.options = merged;
  }

  recognize(image) {
    this.#check("IMAGE", "recognize", "recognizeForVideo");
    this.#engine.still(pixels(image));
    return result(this.#engine.hands(), this.options);
  }

  recognizeForVideo(video, timestamp) {
    this.#check("VIDEO", "recognizeForVideo", "recognize");
    if (typeof timestamp !== "number" || !(timestamp >= 0 && timestamp < 2 ** 53 / 1000)) {
      throw new GestureError("timestamp", `The timestamp must be a number of milliseconds of 0 or more, not ${timestamp}.`);
    }
    if (timestamp <= this.#latest) {
      throw new GestureError("timestamp", `The timestamp ${timestamp} does not follow ${this.#latest}: they must grow.`);
    }
    this.#engine.picture(pixels(video), timestamp * 1000);
    this.#latest = timestamp;
    return result(this.#engine.hands(), this.options);
  }

  #check(mode, call, other) {
    if (!this.#engine) throw closed();
    const { runningMode = "IMAGE" } = this.options;
    if (runningMode === mode) return;
    throw new GestureError("running-mode", `${call} needs the runningMode ${mode}; this recognizer has ${runningMode}. `
      + `Call ${other}, or setOptions({ runningMode: "${mode}" }).`);
  }

  /** Ends a gesture that is still active, as before another video. */
  finish() {
    if (!this.#engine) throw closed();
    this.#engine.finish();
    this.#latest = -Infinity;
  }

  async perform(command) {
    if (!this.#engine) throw closed();
    if (command.settings?.bodies) await this.#engine.openBodies();
    this.#engine.command(command);
  }

  close() {
    this.#isClosed = true;
    this.#engine?.close();
    this.#engine = null;
    this.end();
  }
}

// MARK: Camera

const cameraErrors = {
  NotAllowedError: ["camera-denied", "The camera is not allowed. Allow it in the browser's address bar and try again."],
  NotFoundError: ["camera-missing", "No camera was found. Connect one and try again."],
  NotReadableError: ["camera-busy", "Another program uses the camera. Close it and try again."],
};

export class GestureCamera extends GestureStream {
  onResult = null;
  onLoading = null;
  onEnd = null;
  #worker;
  #answers = new Map();
  #asked = 0;
  /** What is watched: its end undoes it. */
  #watched = null;
  #counts = { received: 0, superseded: 0 };

  static async create(options = {}) {
    const { base, onGesture = null, onResult = null, onReport = null, onError = null, onLoading = null, onEnd = null,
      pictures = false, ...others } = options;
    const fileset = base instanceof Fileset ? base : await FilesetResolver.forVisionTasks(base);
    const camera = new GestureCamera(merge({}, others));
    Object.assign(camera, { onGesture, onResult, onReport, onError, onLoading, onEnd });
    camera.#worker = new Worker(new URL("gesture-worker.js", import.meta.url), { type: "module" });
    camera.#worker.onmessage = ({ data }) => camera.#receive(data);
    camera.#worker.onerror = (event) => camera.#fail(new GestureError(
      "files", `The worker cannot be run: ${event.message ?? "gesture-worker.js is missing"}.`));
    document.addEventListener("visibilitychange", camera.#showOrHide);
    try {
      await camera.#ask({
        do: "open", base: fileset.base, options: opening(camera.options), pictures, results: onResult !== null,
        origin: performance.timeOrigin,
      });
    } catch (error) {
      camera.close();
      throw error;
    }
    camera.#showOrHide();
    return camera;
  }

  get counts() { return { ...this.#counts }; }

  /** Opens the user's camera. */
  async start(constraints = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } }) {
    if (!navigator.mediaDevices) {
      throw new GestureError("camera-denied", "Browsers give the camera to https and to localhost alone. Open such an address.");
    }
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: constraints });
    } catch (error) {
      const [code, sentence] = cameraErrors[error.name] ?? ["camera", `The camera cannot be used: ${error.message}`];
      throw new GestureError(code, sentence, { cause: error });
    }
    try {
      await this.watch(stream, true);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw error;
    }
    return stream;
  }

  /** Watches a track, a stream or a video element instead of what was watched. Only a camera of `start` is its own. */
  async watch(source, isOwn = false) {
    if (!this.#worker) throw closed();
    this.stop();
    if (source instanceof MediaStreamTrack) source = new MediaStream([source]);
    const watched = { ends: [], before: this.counts };
    this.#watched = watched;
    if (source instanceof MediaStream) {
      const [track] = source.getVideoTracks();
      if (!track || track.readyState === "ended") {
        throw new GestureError("camera-ended", "The stream has no running track of video.");
      }
      const ended = () => {
        if (this.#watched !== watched) return;
        this.stop();
        this.onEnd?.(new GestureError("camera-ended", "The camera was disconnected."));
      };
      track.addEventListener("ended", ended);
      watched.ends.push(() => track.removeEventListener("ended", ended));
      if (isOwn) watched.ends.push(() => track.stop());
      if (typeof MediaStreamTrackProcessor === "function") return this.#readTrack(track, watched);
      const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: source });
      watched.ends.push(() => { video.srcObject = null; });
      await video.play();
      return this.#readVideo(video, watched);
    }
    if (!(source instanceof HTMLVideoElement)) {
      throw new GestureError("image", "A camera watches a MediaStreamTrack, a MediaStream or a video element.");
    }
    this.#readVideo(source, watched);
  }

  /** The worker reads the frames by itself. */
  #readTrack(track, watched) {
    const { readable } = new MediaStreamTrackProcessor({ track });
    this.#worker.postMessage({ do: "read", readable }, [readable]);
    // Frames that come while the worker is busy may be replaced before it can read them. The track knows how many came.
    const delivered = () => track.stats?.deliveredFrames ?? 0, start = delivered();
    watched.unread = (read) => Math.max(0, delivered() - start - read - 1);
    watched.ends.push(() => this.#worker.postMessage({ do: "rest" }));
  }

  /** Takes each new picture of a video, and gives the worker the newest whenever it is free. */
  #readVideo(video, watched) {
    if (typeof video.requestVideoFrameCallback !== "function" || typeof VideoFrame !== "function") {
      throw new GestureError("camera", "This browser gives no pictures of a video. Chrome and Edge do from version 94 on, "
        + "Firefox from 132 and Safari from 16.4.");
    }
    let start = null, newest = null, isBusy = false;
    const give = async () => {
      if (isBusy || !newest) return;
      isBusy = true;
      const { frame, time, came } = newest;
      newest = null;
      try {
        await this.#ask({ do: "picture", frame, time, came }, [frame]);
      } catch (error) {
        this.#fail(error);
      }
      isBusy = false;
      give();
    };
    const take = (now, metadata) => {
      if (this.#watched !== watched) return;
      video.requestVideoFrameCallback(take);
      if (document.hidden) return;
      // A clip has its own times, which are steadier than those at which it is shown.
      start ??= now - 1000 * metadata.mediaTime;
      const isClip = !video.srcObject;
      let time = isClip ? start + 1000 * metadata.mediaTime : metadata.captureTime ?? now;
      if (isClip && Math.abs(time - now) > 1000) {
        // It was paused, or played from another place.
        start = now - 1000 * metadata.mediaTime;
        time = now;
      }
      let frame;
      try {
        frame = new VideoFrame(video, { timestamp: Math.round(1000 * time) });
      } catch (error) {
        // As those of another site, which does not share them.
        this.stop();
        const sentence = `The pictures of the video cannot be read: ${error.message}`;
        return this.#fail(new GestureError("image", sentence, { cause: error }));
      }
      this.#counts.received += 1;
      if (newest) {
        newest.frame.close();
        this.#counts.superseded += 1;
      }
      newest = { frame, time: 1000 * time, came: metadata.captureTime ?? performance.now() };
      give();
    };
    const handle = video.requestVideoFrameCallback(take);
    watched.ends.push(() => {
      video.cancelVideoFrameCallback(handle);
      newest?.frame.close();
      newest = null;
    });
  }

  /** Watches nothing any more. A camera that `start` opened goes off. */
  stop() {
    const { ends = [] } = this.#watched ?? {};
    this.#watched = null;
    for (const end of ends) end();
  }

  /** Ends a gesture that is still active, as before another video. */
  async finish() { await this.#ask({ do: "finish" }); }

  async perform(command) { await this.#ask({ do: "command", command }); }

  /** Nobody looks at a page that is hidden, and nobody gestures at it. */
  #showOrHide = () => this.#worker?.postMessage({ do: document.hidden ? "pause" : "go" });

  #ask(message, transfer = []) {
    if (!this.#worker) return Promise.reject(closed());
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#worker.postMessage({ ...message, id }, transfer);
    });
  }

  #receive(message) {
    // What was on its way when the camera was closed.
    if (!this.#worker) return message.picture?.close();
    const error = message.error && new GestureError(message.error.code, message.error.sentence);
    switch (message.kind) {
      case "done": {
        const answer = this.#answers.get(message.id);
        this.#answers.delete(message.id);
        return error ? answer.reject(error) : answer.resolve();
      }
      case "loading": return this.onLoading?.(message.bytes);
      case "failure": return this.#fail(error);
      case "report": return this.#report(message);
    }
  }

  #report({ report, picture, hands, latency, counts }) {
    if (counts) this.#count(counts);
    if (report.kind === "frame") Object.assign(report, this.#counts);
    try {
      this.receive(report, { picture, latency });
      if (hands && this.onResult) this.onResult({ ...result(hands, this.options), timestamp: report.time / 1000 });
    } finally {
      picture?.close();
    }
  }

  /** Takes in what the worker has counted of the frames that it reads. */
  #count({ read, received, superseded }) {
    const { before, unread } = this.#watched ?? {};
    if (!unread) return;
    const lost = unread(read);
    const now = { received: before.received + received + lost, superseded: before.superseded + superseded + lost };
    // What was unread a moment ago may have been read since.
    this.#counts = {
      received: Math.max(now.received, this.#counts.received), superseded: Math.max(now.superseded, this.#counts.superseded),
    };
  }

  #fail(error) {
    if (this.onError) this.onError(error); else console.error(error);
  }

  close() {
    if (!this.#worker) return;
    this.stop();
    document.removeEventListener("visibilitychange", this.#showOrHide);
    this.#worker.terminate();
    this.#worker = null;
    for (const { reject } of this.#answers.values()) reject(closed());
    this.#answers.clear();
    this.end();
  }
}
