/** The worker of GestureCamera: one engine, which takes the newest picture. */

import { Engine } from "./gesture/engine.js";
import { GestureError, reason } from "./gesture/errors.js";
import { FilesetResolver } from "./gesture/files.js";
import { storedPixels } from "./gesture/pictures.js";

/** What the page asked for when it opened this worker. */
let setup = null;
let fileset = null;
let engine = null;
/** The latest report of settings, for another engine after a crash. */
let settings = null;
/** Ends when there is another engine, or none any more. */
let reopening = null;
/** Why there is no engine any more. */
let fault = null;
let isPaused = false;
let waiting = null;
let isBusy = false;
/** The picture that the engine looks at. */
let current = null;
/** Frames of a track: those that were read, those of them that came while nothing rested, and those that a newer one replaced. */
let counts = null;

const tell = (message, transfer = []) => postMessage(message, transfer);
const loading = (bytes) => tell({ kind: "loading", bytes });
/** Milliseconds on the page's clock. */
const now = () => performance.timeOrigin - setup.origin + performance.now();

function described(error) {
  return { code: error instanceof GestureError ? error.code : "worker", sentence: reason(error) };
}
const fail = (error) => tell({ kind: "failure", error: described(error) });

// MARK: Engine

/** Makes an engine; `restore` makes it what another one was. */
async function open(restore = () => {}) {
  const fresh = await Engine.load(fileset, loading);
  fresh.onReport = report;
  await fresh.open(setup.options, loading);
  await restore(fresh);
  engine = fresh;
}

/** Has the engine do something. After a crash another one takes over, with the same settings and gestures. */
async function use(action) {
  await reopening;
  if (fault) throw fault;
  try {
    return await action(engine);
  } catch (error) {
    if (error.code === "crashed") reopening ??= reopen(error, settings).finally(() => { reopening = null; });
    throw error;
  }
}

async function reopen(error, before) {
  try {
    await open(async (fresh) => {
      if (before.file) fresh.command({ do: "load", file: before.file });
      await fresh.restoreBodies(before, loading);
      fresh.command({ do: "settings", settings: before.settings });
    });
    tell({ kind: "failure", error: { code: error.code, sentence: `${error.message} Another one goes on.` } });
  } catch (other) {
    fault = new GestureError(
      "crashed", `${error.message} Another one cannot be started: ${reason(other)} Close this camera, and create another one.`);
    fail(fault);
  }
}

function report(report) {
  if (report.kind === "settings") settings = report;
  // That of a picture waits for its numbers.
  if (report.kind === "frame" && current) current.report = report; else tell({ kind: "report", report });
}

// MARK: Pictures

/** Takes a picture, or lets it wait for the engine; one that waits already is replaced. */
function take(frame, time, came, answered = null) {
  if (waiting) {
    waiting.frame.close();
    waiting.answered?.();
    if (counts) counts.superseded += 1;
  }
  waiting = { frame, time, came, answered };
  work();
}

/** Lets pictures and commands that came meanwhile go first. */
const turn = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); resolve(); };
  port2.postMessage(null);
});

async function work() {
  if (isBusy) return;
  isBusy = true;
  while (waiting) {
    await turn();
    const picture = waiting;
    waiting = null;
    if (!picture) break;
    try {
      await look(picture);
    } catch (error) {
      // What a crash leads to is told when it is known, and what there is no engine for once.
      if (error.code !== "crashed") fail(error);
    }
    // Nothing is left here of one that was given to the page.
    picture.frame.close();
    picture.answered?.();
  }
  isBusy = false;
}

/** The memory of a frame's numbers, which goes to the page without a copy: hands and all others share it. */
function buffers({ scores, hands, arms, bodies }) {
  const { buffer } = scores ?? hands[0]?.points ?? arms?.points ?? bodies?.people[0]?.points ?? {};
  return buffer ? [buffer] : [];
}

async function look(picture) {
  const stored = await storedPixels(picture.frame);
  const wait = Math.max(0, Math.round(1000 * (now() - picture.came)));
  const hands = await use((engine) => {
    current = picture;
    try {
      engine.picture(stored, picture.time);
      return setup.results ? engine.frame().hands : null;
    } finally {
      current = null;
    }
  });
  const { report } = picture;
  tell({
    kind: "report", report: { ...report, wait }, counts, latency: now() - picture.came, hands,
    picture: setup.pictures ? picture.frame : null,
  }, [...buffers(report), ...setup.pictures ? [picture.frame] : []]);
}

// MARK: Tracks

let reading = null;

/** Reads the frames of a track until it ends or another one is read. */
async function read(readable) {
  const reader = readable.getReader();
  reading = reader;
  counts = { read: 0, received: 0, superseded: 0 };
  // Frames have the camera's own times, which are steadier than those at which they come. The engine gets them as they
  // were related to the page's clock at first; how late an answer is counts from the least delay that was seen.
  let start = null, least = Infinity, latest = -Infinity;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const frame = part.value;
    if (reading === reader) counts.read += 1;
    if (reading !== reader || isPaused) {
      frame.close();
      continue;
    }
    const came = now(), stamp = frame.timestamp / 1000;
    if (start === null || Math.abs(came - stamp - start) > 1000 || stamp <= latest) [start, least] = [came - stamp, Infinity];
    [least, latest] = [Math.min(least, came - stamp), stamp];
    counts.received += 1;
    take(frame, (stamp + start) * 1000, stamp + least);
  }
}

function rest() {
  reading?.cancel().catch(() => {});
  reading = counts = null;
  waiting?.frame.close();
  waiting?.answered?.();
  waiting = null;
}

// MARK: Messages

const actions = {
  async open(message) {
    setup = message;
    fileset = await FilesetResolver.forVisionTasks(message.base);
    await open();
  },
  async command({ command }) {
    if (command.settings?.bodies) await use((engine) => engine.openBodies(loading));
    await use((engine) => engine.command(command));
  },
  async arms({ isOn }) { await use((engine) => engine.setArms(isOn, loading)); },
  async finish() { await use((engine) => engine.finish()); },
  picture({ frame, time, came }) {
    return new Promise((resolve) => { take(frame, time, came, resolve); });
  },
  read({ readable }) {
    read(readable).catch((error) => fail(new GestureError("camera", `The camera gives no more pictures: ${reason(error)}`)));
  },
  rest,
  pause() { isPaused = true; },
  go() { isPaused = false; },
};

/** Commands run one after the other; pictures go their own way. */
let last = Promise.resolve();

onmessage = ({ data: message }) => {
  const run = async () => {
    try {
      await actions[message.do](message);
      if (message.id) tell({ kind: "done", id: message.id });
    } catch (error) {
      if (message.id) tell({ kind: "done", id: message.id, error: described(error) }); else fail(error);
    }
  };
  if (message.do === "picture") run(); else last = last.then(run);
};

// The page waits for a first word: a worker that cannot be run has none.
tell({ kind: "ready" });
