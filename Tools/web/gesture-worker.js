/** The worker of GestureCamera: one engine, which takes the newest picture. */

import { Engine, FilesetResolver, GestureError, storedPixels } from "./gesture.js";

/** What the page asked for when it opened this worker. */
let setup = null;
let fileset = null;
let engine = null;
/** The latest report of settings, for another engine after a crash. */
let settings = null;
let isPaused = false;
let waiting = null;
let isBusy = false;
/** The picture that the engine looks at. */
let current = null;
/** Pictures that came, and those that a newer one replaced. */
let counts = { received: 0, superseded: 0 };

const tell = (message, transfer = []) => postMessage(message, transfer);
const loading = (bytes) => tell({ kind: "loading", bytes });
/** Milliseconds on the page's clock. */
const now = () => performance.timeOrigin - setup.origin + performance.now();

function described(error) {
  return { code: error instanceof GestureError ? error.code : "worker", sentence: error.message };
}

// MARK: Engine

async function open() {
  const fresh = await Engine.load(fileset, loading);
  fresh.onReport = report;
  await fresh.open(setup.options, loading);
  engine = fresh;
}

/** After a crash: another engine with the same settings and gestures. */
async function reopen(error) {
  const before = settings;
  await open();
  tell({ kind: "failure", error: { code: error.code, sentence: `${error.message} Another one goes on.` } });
  if (before.file) engine.command({ do: "load", file: before.file });
  if (before.settings.bodies) await engine.openBodies(loading);
  engine.command({ do: "settings", settings: before.settings });
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
    counts.superseded += 1;
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
    await look(picture);
    picture.answered?.();
  }
  isBusy = false;
}

async function look(picture) {
  try {
    const stored = await storedPixels(picture.frame);
    const wait = Math.max(0, Math.round(1000 * (now() - picture.came)));
    current = picture;
    engine.picture(stored, picture.time);
    const message = {
      kind: "report", report: { ...picture.report, ...counts, wait }, latency: now() - picture.came,
      hands: setup.results ? engine.hands() : null, picture: setup.pictures ? picture.frame : null,
    };
    tell(message, setup.pictures ? [picture.frame] : []);
  } catch (error) {
    if (error.code === "crashed") await reopen(error); else tell({ kind: "failure", error: described(error) });
  } finally {
    current = null;
    // Nothing is left here of one that was given to the page.
    picture.frame.close();
  }
}

// MARK: Tracks

let reading = null;

/** Reads the frames of a track until it ends or another one is read. */
async function read(readable) {
  const reader = readable.getReader();
  reading = reader;
  // Frames have the camera's own times, which are steadier than those at which they come. The engine gets them as they
  // were related to the page's clock at first; how late an answer is counts from the least delay that was seen.
  let start = null, least = Infinity, latest = -Infinity;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const frame = part.value;
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
  reading = null;
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
    if (command.settings?.bodies) await engine.openBodies(loading);
    try {
      engine.command(command);
    } catch (error) {
      if (error.code === "crashed") await reopen(error);
      throw error;
    }
  },
  finish() { engine.finish(); },
  picture({ frame, time, came, received, superseded }) {
    counts = { received, superseded };
    return new Promise((resolve) => { take(frame, time, came, resolve); });
  },
  read({ readable }) { read(readable); },
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
      if (message.id) tell({ kind: "done", id: message.id, error: described(error) });
      else tell({ kind: "failure", error: described(error) });
    }
  };
  if (message.do === "picture") run(); else last = last.then(run);
};
