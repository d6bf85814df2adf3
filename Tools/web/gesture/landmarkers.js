/** Hands and people without gestures in this thread, with the names of MediaPipe's landmarkers. */

import { Engine } from "./engine.js";
import { closed } from "./errors.js";
import { Fileset, FilesetResolver } from "./files.js";
import { callback, checkMode, handTask, merge, microseconds, opening, poseTask } from "./options.js";
import { pixels } from "./pictures.js";
import { handConnections, handResult, poseConnections, poseResult } from "./result.js";

class Landmarker {
  options = {};
  #fileset;
  #engine = null;
  #isClosed = false;
  /** Microseconds of the latest picture. */
  #latest = -Infinity;
  /** The latest change of the options, which the next one waits for. */
  #turn = Promise.resolve();

  static async createFromOptions(...values) {
    const [fileset, given = {}] = values[0] instanceof Fileset ? values : [null, values[0]];
    const landmarker = new this(), options = merge({}, given, this.task);
    landmarker.#fileset = fileset ?? await FilesetResolver.forVisionTasks();
    await landmarker.#open(options);
    return landmarker;
  }

  async #open(options) {
    const { task, use } = this.constructor, engine = await Engine.load(this.#fileset);
    await engine.open(opening(options, task), undefined, use);
    if (this.#isClosed) {
      engine.close();
      throw closed();
    }
    this.#engine?.close();
    [this.#engine, this.#latest, this.options] = [engine, -Infinity, options];
  }

  async setOptions(options) {
    const { task } = this.constructor;
    if (this.#isClosed) throw closed();
    merge(this.options, options, task);
    const end = this.#turn.then(async () => {
      if (this.#isClosed) throw closed();
      const merged = merge(this.options, options, task);
      if (JSON.stringify(opening(merged, task)) === JSON.stringify(opening(this.options, task))) this.options = merged;
      else await this.#open(merged);
    });
    this.#turn = end.catch(() => {});
    await end;
  }

  detect(image, ...more) {
    this.#check("IMAGE", "detect", "detectForVideo");
    return this.#look(image, undefined, callback(more));
  }

  detectForVideo(video, timestamp, ...more) {
    this.#check("VIDEO", "detectForVideo", "detect");
    const done = callback(more), time = microseconds(timestamp, this.#latest);
    return this.#look(video, time, done);
  }

  #check(mode, call, other) {
    if (!this.#engine) throw closed();
    checkMode(this.options, mode, call, other);
  }

  #look(source, time, done) {
    const engine = this.#engine;
    let found;
    try {
      found = this.constructor.result(engine.look(pixels(source), time));
    } catch (error) {
      if (error.code === "crashed") this.close();
      throw error;
    }
    if (time !== undefined) this.#latest = time;
    done?.(found);
    return found;
  }

  close() {
    this.#isClosed = true;
    this.#engine?.close();
    this.#engine = null;
  }
}

export class HandLandmarker extends Landmarker {
  static HAND_CONNECTIONS = handConnections;
  static task = handTask;
  static use = "hands";
  static result = handResult;
}

export class PoseLandmarker extends Landmarker {
  static POSE_CONNECTIONS = poseConnections;
  static task = poseTask;
  static use = "people";
  static result = poseResult;
}
