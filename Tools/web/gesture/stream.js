/** What recognizer and camera share: moving gestures, their thresholds, and those that the user teaches. */

import { call, closed, GestureError, shown } from "./errors.js";
import { plainCommand, recognitionChanges } from "./options.js";

/** Bytes of a file of gestures. */
const fileLimit = 1 << 20;

/** What can be looked for in people: their points, or an activity whose movements are counted, too. */
const bodyWishes = ["points", "squat", "jumpingJacks", "punches", "sideLunge"];

const toBase64 = (file) => {
  let text = "";
  for (let at = 0; at < file.length; at += 4096) text += String.fromCharCode(...file.subarray(at, at + 4096));
  return btoa(text);
};
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class GestureStream {
  onGesture = null;
  onReport = null;
  options;
  #state = null;
  #teaching = null;
  /** Calls of the page's functions that are due. */
  #due = [];
  #isDelivering = false;

  constructor(options) { this.options = options; }

  get labels() { return this.#known.labels.filter((_, index) => index !== this.#known.nullIndex); }
  get userGestures() { return [...this.#known.userGestures]; }
  get recognition() {
    const { beginConfidence, beginFrames, endFrames, settings } = this.#known;
    return { beginConfidence, beginFrames, endFrames, deniedClasses: [...settings.deniedClasses] };
  }

  get #known() {
    if (!this.#state) throw closed();
    return this.#state;
  }

  /** The latest report of settings, which another engine needs to be what this one is; null before the first. */
  get state() { return this.#state; }

  /** Does a command of the page's protocol; rejects if it is refused. */
  async perform(command) {
    this.#known;
    await this.run(plainCommand(command));
  }

  /** Has the engine do a command. Recognizer and camera have their own ways. */
  async run() { throw closed(); }
  async changeArms() { throw closed(); }

  async setRecognition(changes) {
    await this.perform({ do: "settings", settings: { ...this.#known.settings, ...recognitionChanges(changes, this.labels) } });
  }

  async setArms(isOn) {
    this.#known;
    if (typeof isOn !== "boolean") throw new GestureError("option", `Arms are true or false, not ${shown(isOn)}.`);
    await this.changeArms(isOn);
  }

  async setBodies(bodies) {
    const { bodies: _, ...settings } = this.#known.settings;
    if (bodies !== null && !bodyWishes.includes(bodies)) {
      throw new GestureError("option", `bodies must be ${bodyWishes.join(", ")} or null, not ${shown(bodies)}.`);
    }
    await this.perform({ do: "settings", settings: bodies === null ? settings : { ...settings, bodies } });
  }

  async teach(label, kind = "movement", onProgress = null) {
    this.#known;
    if (typeof label !== "string") throw new GestureError("option", `A label must be a text, not ${shown(label)}.`);
    if (!["movement", "pose"].includes(kind)) {
      throw new GestureError("option", `kind must be movement or pose, not ${shown(kind)}.`);
    }
    if (onProgress !== null && typeof onProgress !== "function") {
      throw new GestureError("option", `onProgress must be a function, not ${shown(onProgress)}.`);
    }
    if (this.#teaching) throw new GestureError("refused", `${this.#teaching.label} is being taught. Stop that first.`);
    const teaching = { label, onProgress, hasBegun: false };
    const end = new Promise((resolve, reject) => Object.assign(teaching, { resolve, reject }));
    // It may be rejected before the command has failed, which is what the caller then gets.
    end.catch(() => {});
    this.#teaching = teaching;
    try {
      await this.perform({ do: "teach", label, gesture: kind });
    } catch (error) {
      if (this.#teaching === teaching) this.#teaching = null;
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
    this.#known;
    if (!(file instanceof ArrayBuffer || file instanceof Uint8Array)) {
      throw new GestureError("option", "A file of gestures is a Uint8Array.");
    }
    const { byteLength } = file;
    if (byteLength > fileLimit) {
      throw new GestureError("refused", `The file has ${byteLength} bytes. A file of gestures has at most ${fileLimit}.`);
    }
    // One of no bytes may have been given to a worker, and cannot be looked into.
    await this.perform({ do: "load", file: byteLength ? toBase64(new Uint8Array(file)) : "" });
  }

  // MARK: Reports

  /** Takes a report in. `deliver` then calls the page's functions. */
  receive(report, more) {
    if (report.kind === "settings") this.#state = report;
    // Another engine begins, which knows nothing of what was taught to the one before.
    if (report.kind === "hello" && this.#teaching?.hasBegun) {
      this.#endTeaching(`The engine was started anew, so nothing was learned of ${this.#teaching.label}. Teach it again.`);
    }
    this.due(() => this.onReport?.(report, more));
    if (report.kind === "teaching" || report.kind === "taught") this.#learn(report);
    if (report.kind === "frame") {
      for (const event of report.events) this.due(() => this.onGesture?.(GestureStream.#event(event)));
    }
  }

  /** Has `deliver` call a function of the page. */
  due(action) { this.#due.push(action); }

  /** Calls the page's functions, in their order. Those that come due meanwhile, as by calls in them, follow. */
  deliver() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    while (this.#due.length) call(this.#due.shift());
    this.#isDelivering = false;
  }

  #learn(report) {
    const teaching = this.#teaching;
    if (!teaching) return;
    teaching.hasBegun = true;
    const { kind, ...progress } = report;
    if (kind === "teaching") this.due(() => teaching.onProgress?.(progress));
    if (progress.phase === "stopped") this.#endTeaching(report.sentence ?? "Stopped. Nothing was learned.");
    if (kind !== "taught") return;
    if (report.refusal) return this.#endTeaching(report.refusal);
    this.#teaching = null;
    teaching.resolve(progress);
  }

  #endTeaching(sentence) {
    this.#teaching.reject(new GestureError("refused", sentence));
    this.#teaching = null;
  }

  static #event({ event, label, confidence, onset, decision }) {
    const isBegin = event === "begin";
    return {
      type: isBegin ? "begin" : "end", ...isBegin ? {} : { cause: event }, label, confidence: confidence / 1000,
      onset: onset / 1000, time: decision / 1000,
    };
  }

  /** No report will come any more. - error: what teaching is rejected with. */
  end(error = closed()) {
    this.#teaching?.reject(error);
    this.#state = this.#teaching = null;
    this.#due = [];
  }
}
