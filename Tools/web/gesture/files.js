/** The engine's files: where they are, and how they are loaded. */

import { GestureError, reason, shown } from "./errors.js";

/** The networks of each use of the engine, in its order. */
const networks = {
  gestures: [
    "palm-detection-lite", "hand-landmark-lite", "gesture-embedder", "canned-gesture-classifier", "hand-gestures",
    "hand-background",
  ],
  hands: ["palm-detection-lite", "hand-landmark-lite", "hand-gestures"],
  people: ["pose-detection", "pose-landmark-full"],
};
/** How long a server may send nothing, in milliseconds. */
const patience = 30_000;

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
      throw new GestureError("files", `${url.pathname} cannot be read: ${reason(error)}`, { cause: error });
    }
  }
  const stop = new AbortController();
  let isStopped = false, timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { isStopped = true; stop.abort(); }, patience);
  };
  const failure = (what, error) => new GestureError("files", isStopped
    ? `${url.href} cannot be loaded: the server has sent nothing for ${patience / 1000} seconds.`
    : `${url.href} ${what}: ${reason(error)}`, { cause: error });
  const parts = [];
  let count = 0;
  try {
    wait();
    const response = await fetch(url, { signal: stop.signal }).catch((error) => { throw failure("cannot be loaded", error); });
    if (!response.ok) throw new GestureError("files", `${url.href} cannot be loaded: the server says ${response.status}.`);
    const reader = response.body?.getReader();
    const read = async () => {
      wait();
      return await reader?.read().catch((error) => { throw failure("ended early", error); }) ?? { done: true };
    };
    for (let part = await read(); !part.done; part = await read()) {
      parts.push(part.value);
      count += part.value.length;
      onLoading?.(part.value.length);
    }
  } finally {
    clearTimeout(timer);
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
export class Fileset {
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
        throw new GestureError("files", `${url.href} is not the engine: ${reason(error)}`, { cause: error });
      }
    }, () => { this.#module = null; });
  }

  /** The networks of a use: `gestures`, `hands` or `people`. */
  weights(use, onLoading) {
    return Promise.all(networks[use].map((name) => {
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

  static async forVisionTasks(base = new URL("..", import.meta.url)) {
    if (!await FilesetResolver.isSimdSupported()) {
      throw new GestureError("no-simd", "This browser has no WebAssembly SIMD. Chrome and Edge have it from version 91 on, "
        + "Firefox from 89 and Safari from 16.4.");
    }
    const here = globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
    let url;
    try {
      url = new URL(base, here);
    } catch (error) {
      throw new GestureError("option", `${shown(base)} is not the address of a folder.`, { cause: error });
    }
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return new Fileset(url);
  }
}
