/** The engine of gesture.wasm. */

import { closed, GestureError, reason } from "./errors.js";
import { frameReport, parts, personFloats, handFloats } from "./result.js";

const decoder = new TextDecoder(), encoder = new TextEncoder();
/** What an instance is opened for, as `open` numbers it. */
const uses = ["gestures", "hands", "people"];

/**
 * One instance of the engine in this thread. Opened for gestures, it has one stream of pictures; `onReport` gets what it says, once
 * the call that brings it has left the engine. Recognizer, landmarkers and the camera's worker are made of it.
 */
export class Engine {
  onReport = null;
  #exports;
  #fileset;
  #use = "gestures";
  #line = "";
  /** What the call that runs has brought: texts, and the numbers of pictures. */
  #heard = [];
  /** The latest report of the kind `words`. */
  #words = {};
  /** The latest picture's report, and the numbers of its hands. */
  #frame = { report: null, hands: [] };
  #scratch = { address: 0, bytes: 0 };
  #hasBodies = false;
  /** Whether arms are watched with the networks of bodies. */
  #watchesArms = true;

  static async load(fileset, onLoading) {
    const module = await fileset.module(onLoading), engine = new Engine();
    engine.#fileset = fileset;
    const bytes = (address, length) => new Uint8Array(engine.#exports.memory.buffer, address, length);
    let instance;
    try {
      instance = await WebAssembly.instantiate(module, { env: {
        now: () => performance.now(),
        // Nothing else runs while the engine does: an exception would unwind through it.
        report: (address, length) => { engine.#heard.push(decoder.decode(bytes(address, length))); },
        numbers: (address, count) => { engine.#heard.push(new Float32Array(bytes(address, 4 * count).slice().buffer)); },
        log: (address, length) => { engine.#line = decoder.decode(bytes(address, length)); },
      } });
    } catch (error) {
      throw new GestureError("crashed", `The engine cannot be started: ${reason(error)}`, { cause: error });
    }
    engine.#exports = instance.exports;
    return engine;
  }

  /** Begins anew with these options, for `gestures`, `hands` or `people`. */
  async open(options, onLoading, use = "gestures") {
    this.#give(await this.#fileset.weights(use, onLoading), (files) =>
      this.#giveText(options, (address, length) => this.#exports.open(uses.indexOf(use), files, address, length)));
    this.#use = use;
    this.#hasBodies = false;
    this.#watchesArms = options.arms ?? true;
    if (options.arms) await this.openBodies(onLoading);
  }

  /** Loads the networks of bodies for gestures, unless they are there, which help to find swipes. */
  async openBodies(onLoading) {
    if (this.#hasBodies) return;
    this.#give(await this.#fileset.weights("people", onLoading), (files) => this.#exports.openBodies(files));
    this.#hasBodies = true;
    if (this.#watchesArms) this.#checked(() => this.#exports.arms(1));
  }

  /** Has arms be watched, or the hand alone. */
  async setArms(isOn, onLoading) {
    this.#watchesArms = isOn;
    if (this.#hasBodies) this.#checked(() => this.#exports.arms(isOn ? 1 : 0));
    else if (isOn) await this.openBodies(onLoading);
  }

  /** Has a fresh engine watch arms and look for people as one did whose latest report of settings is given. */
  async restoreBodies({ settings, watchesArms }, onLoading) {
    this.#watchesArms = watchesArms;
    if (settings.bodies || watchesArms) await this.openBodies(onLoading);
  }

  command(command) {
    this.#checked(() => this.#giveText(command, (address, length) => this.#exports.command(address, length)));
  }

  /** Looks for gestures. - picture: format, width, height, bytes. time: whole microseconds. */
  picture(picture, time) {
    this.#frame = { report: null, hands: [] };
    this.#picture(picture, time, (address, length) => this.#exports.picture(address, length));
  }

  /** The numbers of each hand or person of a picture. - time: whole microseconds; nothing for a single picture without a past. */
  look(picture, time) {
    let found = [];
    this.#picture(picture, time ?? 0, (address, length) => this.#exports.look(address, length, time === undefined ? 1 : 0), (numbers) => {
      found = parts(numbers, 1, numbers[0], this.#use === "people" ? personFloats : handFloats);
    });
    return found;
  }

  /** The report of the latest picture that gestures were looked for in, and the numbers of each of its hands. */
  frame() { return this.#frame; }

  finish() { this.#checked(() => this.#exports.finish()); }

  #picture({ format, width, height, bytes }, time, call, read) {
    this.#checked(() => {
      const length = 16 + bytes.length, address = this.#reserve(length);
      const head = new DataView(this.#exports.memory.buffer, address, 16);
      [0x47, 0x50, 1, format].forEach((byte, index) => head.setUint8(index, byte));
      head.setUint16(4, width, true);
      head.setUint16(6, height, true);
      head.setBigUint64(8, BigInt(Math.max(0, Math.round(time))), true);
      new Uint8Array(this.#exports.memory.buffer, address + 16, bytes.length).set(bytes);
      call(address, length);
    }, read ?? ((numbers) => this.#take(numbers, Math.max(0, Math.round(time)))));
  }

  /** Makes the report of a frame. */
  #take(numbers, time) {
    this.#frame = frameReport(this.#words, numbers, time);
    this.onReport?.(this.#frame.report);
  }

  /** Memory for a picture, reused until it is too small. */
  #reserve(bytes) {
    if (bytes > this.#scratch.bytes) {
      if (this.#scratch.address) this.#exports.release(this.#scratch.address);
      this.#scratch = { address: this.#exports.allocate(bytes), bytes };
    }
    return this.#scratch.address;
  }

  #give(files, call) {
    this.#checked(() => {
      const addresses = files.map((file) => this.#copy(file));
      const table = this.#copy(new Uint8Array(
        Uint32Array.from(files.flatMap((file, index) => [addresses[index], file.length])).buffer));
      call(table);
      for (const address of [table, ...addresses]) this.#exports.release(address);
    });
  }

  #giveText(value, call) {
    const text = encoder.encode(JSON.stringify(value)), address = this.#copy(text);
    call(address, text.length);
    this.#exports.release(address);
  }

  #copy(bytes) {
    const address = this.#exports.allocate(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** Makes a call, hands on what it brings, and throws the failure among that. - read: takes the numbers of a picture. */
  #checked(call, read = (numbers) => this.#take(numbers)) {
    if (!this.#exports) throw closed();
    this.#heard = [];
    try {
      call();
    } catch (error) {
      this.#exports = null;
      const line = (this.#line || reason(error)).trim();
      throw new GestureError("crashed", /call stack|recursion/i.test(line)
        ? "The engine was called with too little left of the call stack, and has stopped. Call it outside of recursive functions."
        : `The engine has stopped by a fault of its own: ${line}`, { cause: error });
    }
    let failure = null;
    for (const part of this.#heard) {
      if (typeof part !== "string") {
        read(part);
        continue;
      }
      const report = JSON.parse(part);
      if (report.kind === "words") this.#words = report; else this.onReport?.(report);
      if (report.kind === "failure") failure ??= report;
    }
    if (failure) throw new GestureError("refused", failure.sentence);
  }

  close() { this.#exports = null; }
}
