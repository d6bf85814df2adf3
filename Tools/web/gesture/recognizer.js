/** The recognizer of images and videos in this thread, with the names of MediaPipe's. */

import { Engine } from "./engine.js";
import { closed } from "./errors.js";
import { Fileset, FilesetResolver } from "./files.js";
import { callback, checkMode, merge, microseconds, opening } from "./options.js";
import { pixels } from "./pictures.js";
import { handConnections, result } from "./result.js";
import { GestureStream } from "./stream.js";

export class GestureRecognizer extends GestureStream {
  static HAND_CONNECTIONS = handConnections;
  #fileset;
  #engine = null;
  #isClosed = false;
  /** Microseconds of the latest picture. */
  #latest = -Infinity;
  /** What takes time, such as loading, and runs now. */
  #turn = null;

  static async createFromOptions(...values) {
    const [fileset, given = {}] = values[0] instanceof Fileset ? values : [null, values[0]];
    const recognizer = new GestureRecognizer(merge({}, given));
    recognizer.#fileset = fileset ?? await FilesetResolver.forVisionTasks();
    await recognizer.#open(recognizer.options);
    return recognizer;
  }

  /** Another engine with these options, which has the gestures and settings of the one before. Without it, that one goes on. */
  async #open(options) {
    const engine = await Engine.load(this.#fileset), reports = [];
    engine.onReport = (report) => reports.push(report);
    await engine.open(opening(options));
    // Arms by the new options, if those changed.
    const { arms } = options;
    if (this.state) {
      await engine.restoreBodies(arms === this.options.arms ? this.state : { ...this.state, watchesArms: arms ?? this.state.watchesArms });
    }
    if (this.#isClosed) {
      engine.close();
      throw closed();
    }
    if (this.state) {
      // The new options have a say in rate, mirror, held poses and pointers, which are settings, too.
      const { rate, maximumHands, mirrored: isMirrored, heldPoses: hasHeldPoses, pointer } = opening(options);
      const { settings, file } = this.state;
      if (file) engine.command({ do: "load", file });
      engine.command({ do: "settings", settings: { ...settings, rate, maximumHands, isMirrored, hasHeldPoses, pointer } });
    }
    this.#engine?.close();
    [this.#engine, this.#latest, this.options] = [engine, -Infinity, options];
    engine.onReport = (report) => this.receive(report);
    for (const report of reports) this.receive(report);
    this.deliver();
  }

  /** Waits for what takes time, does an action, and has others wait for that. */
  async #inTurn(action) {
    while (this.#turn) await this.#turn;
    if (!this.#engine) throw closed();
    const end = action();
    this.#turn = end.then(() => {}, () => {}).then(() => { this.#turn = null; });
    return end;
  }

  async setOptions(options) {
    if (!this.#engine) throw closed();
    merge(this.options, options);
    await this.#inTurn(async () => {
      const merged = merge(this.options, options);
      if (JSON.stringify(opening(merged)) === JSON.stringify(opening(this.options))) this.options = merged;
      else await this.#open(merged);
    });
  }

  recognize(image, ...more) {
    this.#check("IMAGE", "recognize", "recognizeForVideo");
    callback(more);
    const { options } = this;
    return result(this.#use((engine) => engine.look(pixels(image))), options);
  }

  recognizeForVideo(video, timestamp, ...more) {
    this.#check("VIDEO", "recognizeForVideo", "recognize");
    callback(more);
    const time = microseconds(timestamp, this.#latest);
    const { options } = this;
    const { hands, report } = this.#use((engine) => {
      engine.picture(pixels(video), time);
      this.#latest = time;
      return engine.frame();
    });
    return result(hands, options, report);
  }

  #check(mode, call, other) {
    if (!this.#engine) throw closed();
    checkMode(this.options, mode, call, other);
  }

  /** Ends a gesture that is still active, as before another video. */
  finish() {
    this.#use((engine) => {
      engine.finish();
      this.#latest = -Infinity;
    });
  }

  async changeArms(isOn) {
    await this.#inTurn(async () => {
      try { await this.#engine.setArms(isOn); } finally { this.deliver(); }
    });
  }

  async run(command) {
    if (command.settings?.bodies) {
      return this.#inTurn(async () => {
        await this.#engine.openBodies();
        this.#use((engine) => engine.command(command));
      });
    }
    while (this.#turn) await this.#turn;
    this.#use((engine) => engine.command(command));
  }

  /** Has the engine do something, and then tells the page what it reported. */
  #use(action) {
    if (!this.#engine) throw closed();
    try {
      return action(this.#engine);
    } catch (error) {
      if (error.code === "crashed") this.#end(error);
      throw error;
    } finally {
      this.deliver();
    }
  }

  #end(error) {
    this.#isClosed = true;
    this.#engine?.close();
    this.#engine = null;
    this.end(error);
  }

  close() { this.#end(); }
}
