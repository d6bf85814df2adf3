/** The engine of gesture.wasm. */

import { closed, GestureError, reason } from "./errors.js";

const handFloats = 138, handLimit = 4;
const decoder = new TextDecoder();

/**
 * One instance of the engine in this thread, with one stream of pictures. `onReport` gets what the engine says, once the call
 * that brings it has left the engine. The recognizer and the camera's worker are made of it.
 */
export class Engine {
  onReport = null;
  #exports;
  #fileset;
  #line = "";
  /** Reports of the call that runs, as texts. */
  #texts = [];
  #scratch = { address: 0, bytes: 0 };
  #hasBodies = false;

  static async load(fileset, onLoading) {
    const module = await fileset.module(onLoading), engine = new Engine();
    engine.#fileset = fileset;
    const text = (address, length) => decoder.decode(new Uint8Array(engine.#exports.memory.buffer, address, length));
    let instance;
    try {
      instance = await WebAssembly.instantiate(module, { env: {
        now: () => performance.now(),
        // Nothing else runs while the engine does: an exception would unwind through it.
        report: (address, length) => { engine.#texts.push(text(address, length)); },
        log: (address, length) => { engine.#line = text(address, length); },
      } });
    } catch (error) {
      throw new GestureError("crashed", `The engine cannot be started: ${reason(error)}`, { cause: error });
    }
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

  /** - picture: format, width, height, bytes. time: whole microseconds. */
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

  /** Memory for a picture or for hands, reused until it is too small. */
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

  /** Makes a call, hands on what it reports, and throws the failure among that. */
  #checked(call) {
    if (!this.#exports) throw closed();
    this.#texts = [];
    let result;
    try {
      result = call();
    } catch (error) {
      this.#exports = null;
      const line = (this.#line || reason(error)).trim();
      throw new GestureError("crashed", /call stack|recursion/i.test(line)
        ? "The engine was called with too little left of the call stack, and has stopped. Call it outside of recursive functions."
        : `The engine has stopped by a fault of its own: ${line}`, { cause: error });
    }
    const reports = this.#texts.map((text) => JSON.parse(text));
    for (const report of reports) this.onReport?.(report);
    const failure = reports.find(({ kind }) => kind === "failure");
    if (failure) throw new GestureError("refused", failure.sentence);
    return result;
  }

  close() { this.#exports = null; }
}
