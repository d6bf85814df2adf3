/** The camera: an engine in a worker, which gets the newest picture. */

import { call, closed, GestureError, reason, shown } from "./errors.js";
import { Fileset, FilesetResolver } from "./files.js";
import { merge, opening } from "./options.js";
import { result } from "./result.js";
import { GestureStream } from "./stream.js";

/** How long a worker may take until its first word, in milliseconds. */
const patience = 20_000;

const here = new URL("../gesture-worker.js", import.meta.url);

const cameraErrors = new Map(Object.entries({
  NotAllowedError: ["camera-denied", "The camera is not allowed. Allow it in the browser's address bar and try again."],
  NotFoundError: ["camera-missing", "No camera was found. Connect one and try again."],
  NotReadableError: ["camera-busy", "Another program uses the camera. Close it and try again."],
}));

/** Why the browser gives no camera. */
function cameraError(error) {
  const [code, sentence] = cameraErrors.get(error.name) ?? ["camera", error.constraint
    ? `No camera has what the constraint ${error.constraint} asks for.` : `The camera cannot be used: ${reason(error)}`];
  return new GestureError(code, sentence, { cause: error });
}

const stopped = () => new GestureError("camera-ended", "The camera was stopped before it gave a picture.");

export class GestureCamera extends GestureStream {
  onResult = null;
  onError = null;
  onLoading = null;
  onEnd = null;
  #worker;
  #answers = new Map();
  #asked = 0;
  /** What is watched: its end undoes it. */
  #watched = null;
  /** The latest `start` that waits for the user. */
  #asking = null;
  #counts = { received: 0, superseded: 0, skipped: 0 };

  static async create(options = {}) {
    if (typeof options !== "object" || options === null) merge({}, options);
    if (typeof Worker !== "function" || typeof document !== "object") {
      throw new GestureError("camera", "A GestureCamera needs the page of a browser, where it starts a worker. GestureRecognizer "
        + "works in workers and in Node.");
    }
    const { base, onGesture = null, onResult = null, onReport = null, onError = null, onLoading = null, onEnd = null,
      pictures = false, worker = null, ...others } = options;
    const functions = { onGesture, onResult, onReport, onError, onLoading, onEnd };
    for (const [name, value] of Object.entries(functions)) {
      if (value !== null && typeof value !== "function") {
        throw new GestureError("option", `${name} must be a function, not ${shown(value)}.`);
      }
    }
    const camera = Object.assign(new GestureCamera(merge({}, others)), functions);
    const fileset = base instanceof Fileset ? base : await FilesetResolver.forVisionTasks(base);
    try {
      await camera.#startWorker(worker);
      await camera.#ask({
        do: "open", base: fileset.base, options: opening(camera.options), pictures: Boolean(pictures),
        results: onResult !== null, origin: performance.timeOrigin,
      });
    } catch (error) {
      camera.close();
      throw error;
    }
    document.addEventListener("visibilitychange", camera.#showOrHide);
    camera.#showOrHide();
    return camera;
  }

  /** Returns when the worker has said its first word. - given: the address of a module that imports gesture-worker.js, or null. */
  #startWorker(given) {
    return new Promise((resolve, reject) => {
      const isForeign = given === null && /^http/.test(here.protocol) && here.origin !== globalThis.origin;
      const failure = (sentence, cause) => new GestureError("files", isForeign ? `${sentence.replace(/[.]?$/, ".")} gesture-worker.js is of ${here.origin}, and `
        + `this page of ${globalThis.origin}. That server must allow the page (CORS), and the page's policy must have `
        + `script-src ${here.origin} and worker-src ${here.origin} blob:. Or give the option worker.` : sentence, { cause });
      let blob = null;
      try {
        if (isForeign) {
          // Browsers start no worker of another origin, and let one of this origin import it.
          blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(here.href)};`], { type: "text/javascript" }));
        }
        // Bundlers look for this form of the default.
        this.#worker = given ?? blob ? new Worker(given ?? blob, { type: "module" })
          : new Worker(new URL("../gesture-worker.js", import.meta.url), { type: "module" });
      } catch (error) {
        throw failure(`The worker cannot be started: ${reason(error)}`, error);
      }
      const timer = setTimeout(() => reject(failure(
        `The worker has not answered for ${patience / 1000} seconds. gesture-worker.js may be of another build, or still loading.`,
      )), patience);
      this.#worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        if (blob) URL.revokeObjectURL(blob);
        resolve();
        this.#receive(data);
      };
      this.#worker.onerror = (event) => {
        clearTimeout(timer);
        const error = failure(event.message ? `The worker fails: ${event.message}`
          : "The worker cannot be run: gesture-worker.js or a file that it needs is missing or broken, or the page's policy keeps it "
            + "out. The browser's console says which.");
        reject(error);
        this.#lose(error);
      };
    });
  }

  /** The worker has failed outside of what it was asked for. */
  #lose(error) {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const { reject } of answers) reject(error);
    // Whoever waits for an answer has the error by that.
    if (!answers.length && this.state) this.#fail(error);
  }

  get counts() { return { ...this.#counts }; }

  /** Opens the user's camera. */
  async start(constraints = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } }) {
    if (!this.#worker) throw closed();
    if (!navigator.mediaDevices) {
      throw new GestureError("camera-denied", "Browsers give the camera to https and to localhost alone. Open such an address.");
    }
    const asked = this.#asking = {};
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: constraints });
    } catch (error) {
      throw cameraError(error);
    }
    try {
      if (this.#asking !== asked) throw this.#worker ? stopped() : closed();
      await this.#watch(stream, true);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw error;
    }
    return stream;
  }

  /** Watches a track, a stream or a video element instead of what was watched. */
  async watch(source) { await this.#watch(source, false); }

  /** - isOwn: whether the camera goes off when it is watched no more. */
  async #watch(source, isOwn) {
    if (!this.#worker) throw closed();
    const isA = (name) => typeof globalThis[name] === "function" && source instanceof globalThis[name];
    if (isA("MediaStreamTrack")) source = new MediaStream([source]);
    if (!isA("MediaStream") && !isA("HTMLVideoElement")) {
      throw new GestureError("image", `A camera watches a MediaStreamTrack, a MediaStream or a video element, not ${shown(source)}.`);
    }
    this.stop();
    const watched = { ends: [], before: this.counts };
    this.#watched = watched;
    if (isA("HTMLVideoElement")) return this.#readVideo(source, watched);
    const [track] = source.getVideoTracks();
    if (!track || track.readyState === "ended") {
      throw new GestureError("camera-ended", "The stream has no running track of video.");
    }
    const ended = () => {
      if (this.#watched !== watched) return;
      this.stop();
      call(() => this.onEnd?.(new GestureError("camera-ended", "The camera was disconnected.")));
    };
    track.addEventListener("ended", ended);
    watched.ends.push(() => track.removeEventListener("ended", ended));
    if (isOwn) watched.ends.push(() => track.stop());
    if (typeof MediaStreamTrackProcessor === "function") return this.#readTrack(track, watched);
    const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: source });
    watched.ends.push(() => { video.srcObject = null; });
    try {
      await video.play();
    } catch (error) {
      if (this.#watched === watched) throw cameraError(error);
    }
    if (this.#watched !== watched) throw stopped();
    this.#readVideo(video, watched);
  }

  /** The worker reads the frames by itself. */
  #readTrack(track, watched) {
    try {
      const { readable } = new MediaStreamTrackProcessor({ track });
      this.#worker.postMessage({ do: "read", readable }, [readable]);
    } catch (error) {
      this.stop();
      throw cameraError(error);
    }
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
        frame.close();
        if (error.code !== "closed") this.#fail(error);
      }
      isBusy = false;
      give();
    };
    const take = (now, metadata) => {
      if (this.#watched !== watched) return;
      handle = video.requestVideoFrameCallback(take);
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
        const sentence = `The pictures of the video cannot be read: ${reason(error)}`;
        return this.#fail(new GestureError("image", sentence, { cause: error }));
      }
      // The page may have been too busy to get all that were shown.
      const missed = Math.max(0, metadata.presentedFrames - (watched.presented ?? metadata.presentedFrames - 1) - 1);
      watched.presented = metadata.presentedFrames;
      this.#counts.received += 1 + missed;
      this.#counts.superseded += missed;
      if (newest) {
        newest.frame.close();
        this.#counts.superseded += 1;
      }
      newest = { frame, time: 1000 * time, came: metadata.captureTime ?? performance.now() };
      give();
    };
    let handle = video.requestVideoFrameCallback(take);
    watched.ends.push(() => {
      video.cancelVideoFrameCallback(handle);
      newest?.frame.close();
      newest = null;
    });
  }

  /** Watches nothing any more. A camera that `start` opened goes off. */
  stop() {
    const { ends = [] } = this.#watched ?? {};
    this.#watched = this.#asking = null;
    for (const end of ends) end();
  }

  /** Ends a gesture that is still active, as before another video. */
  async finish() { await this.#ask({ do: "finish" }); }

  async changeArms(isOn) { await this.#ask({ do: "arms", isOn }); }

  async run(command) { await this.#ask({ do: "command", command }); }

  /** Nobody looks at a page that is hidden, and nobody gestures at it. */
  #showOrHide = () => {
    // What is shown meanwhile was not missed.
    if (document.hidden && this.#watched) this.#watched.presented = undefined;
    this.#worker?.postMessage({ do: document.hidden ? "pause" : "go" });
  };

  #ask(message, transfer = []) {
    if (!this.#worker) return Promise.reject(closed());
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage({ ...message, id }, transfer);
        this.#answers.set(id, { resolve, reject });
      } catch (error) {
        reject(new GestureError("worker", `The worker cannot be asked: ${reason(error)}`, { cause: error }));
      }
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
        return error ? answer?.reject(error) : answer?.resolve();
      }
      case "loading": return call(() => this.onLoading?.(message.bytes));
      case "failure": return this.#fail(error);
      case "report": return this.#report(message);
    }
  }

  #report({ report, picture, hands, latency, counts }) {
    if (counts) this.#count(counts);
    if (report.kind === "frame") {
      if (!["encoded", "closed"].includes(report.outcome)) this.#counts.skipped += 1;
      Object.assign(report, this.#counts);
    }
    this.receive(report, { picture, latency });
    if (hands) this.due(() => this.onResult?.({ ...result(hands, this.options, report), timestamp: report.time / 1000 }));
    this.deliver();
    picture?.close();
  }

  /** Takes in what the worker has counted of the frames that it reads. */
  #count({ read, received, superseded }) {
    const { before, unread } = this.#watched ?? {};
    if (!unread) return;
    const lost = unread(read);
    const now = { received: before.received + received + lost, superseded: before.superseded + superseded + lost };
    // What was unread a moment ago may have been read since.
    this.#counts.received = Math.max(now.received, this.#counts.received);
    this.#counts.superseded = Math.max(now.superseded, this.#counts.superseded);
  }

  #fail(error) {
    if (this.onError) call(() => this.onError(error)); else console.error(error);
  }

  close() {
    if (!this.#worker) return;
    this.stop();
    document.removeEventListener("visibilitychange", this.#showOrHide);
    this.#worker.terminate();
    this.#worker = null;
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const { reject } of answers) reject(closed());
    this.end();
  }
}
