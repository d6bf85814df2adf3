// Compares the events and the pointers of recordings in WebAssembly with those of this CPU's kernels: what, when, where, and how sure.
//
//   node Tools/web/agreement.mjs [--bench PROGRAM] [--web FOLDER] [--rgba] CLIP...
//
// Each clip is a video or a folder of numbered images, which ffmpeg decodes to one Y4M file for both. The folder is what
// Tools/web/build makes, by default .build/web, and the program .build/release/gesture-bench. Prints a line for each clip with the
// milliseconds of a frame, and fails if an event or a pointer differs.
//
// With --rgba, WebAssembly gets the frames as a canvas would give them: ffmpeg makes RGBA of the same Y4M file. Colours are rounded
// once more by that, so an event agrees if it is of the same label and its onset within 0.2 s, and a difference is no failure. Pointers
// are left out.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals: clips } = parseArgs({
  allowPositionals: true,
  options: {
    bench: { type: "string", default: ".build/release/gesture-bench" }, web: { type: "string", default: ".build/web" },
    rgba: { type: "boolean", default: false },
  },
});
const { FilesetResolver } = await import(pathToFileURL(resolve(options.web, "gesture.js")));
const { Engine } = await import(pathToFileURL(resolve(options.web, "gesture/engine.js")));
const fileset = await FilesetResolver.forVisionTasks(pathToFileURL(resolve(options.web) + "/"));

/** What ffmpeg takes for a clip. */
function input(clip) {
  if (!statSync(clip).isDirectory()) return ["-i", clip];
  const names = readdirSync(clip).sort(), first = names.find((name) => /\d\.(jpe?g|png)$/.test(name));
  if (!first) return ["-i", join(clip, names.find((name) => /\.(avi|gif|mkv|mov|mp4|webm)$/.test(name)) ?? "")];
  const digits = first.match(/\d+(?=\.)/)[0];
  return ["-framerate", "30", "-start_number", `${Number(digits)}`,
    "-i", join(clip, first.replace(digits, `%0${digits.length}d`))];
}

/** The header's numbers, and where each frame of a Y4M file begins. */
function frames(file) {
  const head = file.subarray(0, file.indexOf(10)).toString();
  const number = (letter) => Number(head.match(new RegExp(` ${letter}(\\d+)`))[1]);
  const [width, height] = [number("W"), number("H")];
  const [, rate, divisor] = head.match(/ F(\d+):(\d+)/).map(Number);
  const size = width * height + 2 * ((width + 1) >> 1) * ((height + 1) >> 1), starts = [];
  for (let at = head.length + 1; at < file.length; at += size) {
    at = file.indexOf(10, at) + 1;
    starts.push(at);
  }
  return { width, height, rate: rate / divisor, size, starts, isFull: /XCOLORRANGE=FULL/.test(head) };
}

/** - onset: microseconds. confidence: thousandths. */
const made = (event, label, onset, confidence) => ({ event, label, onset, confidence });
const text = ({ event, label, onset, confidence }) => `${event} ${label}, onset ${onset / 1e6} s, confidence ${confidence / 1e3}`;
/** Reports round what is printed: onsets to microseconds, confidences to thousandths. */
const isEqual = (a, b) => a.event === b.event && a.label === b.label && (options.rgba
  ? Math.abs(a.onset - b.onset) <= 200_000
  : Math.abs(a.onset - b.onset) < 2 && Math.abs(a.confidence - b.confidence) <= 1);
/** Whether two values are equal but for the rounding of numbers to four digits. */
function isNear(a, b) {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < 0.00006;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  return Object.keys({ ...a, ...b }).every((key) => isNear(a[key], b[key]));
}
/** The pointers of a report, as gesture-bench prints them; null without any. */
function printed({ time, pointers, pointerPair }) {
  const shown = pointers.filter(({ state, events }) => state !== "absent" || events.length);
  return shown.length ? { time: time / 1e6, pair: pointerPair, pointers: shown.map((each) => ({
    id: each.identity, handedness: each.handedness, position: [each.x, each.y], state: each.state, confidence: each.confidence,
    events: each.events.map((name) => name === "released" ? `${name}:${each.releaseReason}` : name),
    scroll: each.events.includes("scrolled") ? [each.scroll.x, each.scroll.y] : null,
  })) } : null;
}
const without = (events, others) => events.filter((event) => !others.some((other) => isEqual(event, other)));

/** The frames of a Y4M file in RGBA. */
async function* converted(path, size) {
  const { stdout } = spawn("ffmpeg", ["-v", "error", "-i", path, "-sws_flags", "accurate_rnd", "-pix_fmt", "rgba", "-f", "rawvideo", "-"]);
  let [parts, count] = [[], 0];
  for await (const part of stdout) {
    parts.push(part);
    count += part.length;
    if (count < size) continue;
    let all = Buffer.concat(parts);
    for (; all.length >= size; all = all.subarray(size)) yield all.subarray(0, size);
    [parts, count] = [[all], all.length];
  }
}

/** The pictures for the engine. */
async function* pictures(path, file, { width, height, size, starts, isFull }) {
  if (options.rgba) {
    for await (const bytes of converted(path, 4 * width * height)) yield { format: 1, width, height, bytes };
  } else {
    for (const start of starts) yield { format: isFull ? 2 : 3, width, height, bytes: file.subarray(start, start + size) };
  }
}

async function inWebAssembly(path) {
  const file = readFileSync(path), format = frames(file), { rate } = format;
  const events = [], pointers = [], times = [], engine = await Engine.load(fileset);
  engine.onReport = (report) => {
    if (report.kind === "frame") pointers.push(printed(report));
    for (const { event, label, onset, confidence } of report.events ?? []) {
      events.push(made(event === "begin" ? "begin" : "end", label, onset, confidence));
    }
  };
  await engine.open({ rate: rate > 61 ? 120 : rate > 31 ? 60 : 30, pointer: true });
  for await (const picture of pictures(path, file, format)) {
    const begin = performance.now();
    engine.picture(picture, 1e6 * times.length / rate);
    times.push(performance.now() - begin);
  }
  engine.finish();
  times.sort((a, b) => a - b);
  return { events, pointers: pointers.filter(Boolean), median: times[times.length >> 1], p95: times[Math.floor(0.95 * times.length)] };
}

function native(path) {
  const text = execFileSync(options.bench, ["replay", path, "--no-arms", "--json", "--quiet", "--pointer"],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  const lines = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return {
    events: lines.filter((each) => each.label).map((each) => made(each.event, each.label, each.onset_s * 1e6, each.confidence * 1000)),
    pointers: lines.filter((each) => each.pointers).map(({ time_s: time, pointers, pair = null }) => ({
      time, pair, pointers: pointers.map((each) => ({ id: null, handedness: null, scroll: null, ...each })),
    })),
  };
}

/** Compares the pointers of two runs, and says where they part. */
function comparePointers(own, others) {
  const count = Math.max(own.length, others.length), places = Array.from({ length: count }, (_, index) => index);
  const other = places.filter((index) => !isNear(own[index] ?? null, others[index] ?? null));
  const presses = own.flatMap(({ pointers }) => pointers).filter(({ events }) => events.includes("pressed")).length;
  console.log(`  ${count - other.length} of ${count} frames with pointers agree, with ${presses} presses`);
  if (!other.length) return 0;
  console.log(`  first natively: ${JSON.stringify(own[other[0]])}`);
  console.log(`  first in WebAssembly: ${JSON.stringify(others[other[0]])}`);
  return other.length;
}

let [agreed, differing] = [0, 0];
const folder = mkdtempSync(join(tmpdir(), "agreement-"));
try {
  for (const clip of clips) {
    if (!existsSync(clip)) throw new Error(`${clip} does not exist`);
    const path = join(folder, "clip.y4m");
    execFileSync("ffmpeg", ["-v", "error", "-y", ...input(clip), "-pix_fmt", "yuv420p", path]);
    const { events: own, pointers: ownPointers } = native(path), { events, pointers, median, p95 } = await inWebAssembly(path);
    const missing = without(own, events), extra = without(events, own);
    agreed += events.length - extra.length;
    differing += Math.max(missing.length, extra.length);
    console.log(`${basename(clip)}: ${events.length - extra.length} of ${own.length} events agree; a frame takes ` +
      `${median.toFixed(1)} ms, p95 ${p95.toFixed(1)}`);
    for (const event of missing) console.log(`  only natively: ${text(event)}`);
    for (const event of extra) console.log(`  only in WebAssembly: ${text(event)}`);
    if (!options.rgba) differing += comparePointers(ownPointers, pointers);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${clips.length} clips: ${agreed} events agree, ${differing} differ`);
process.exitCode = agreed > 0 && (differing === 0 || options.rgba) ? 0 : 1;
