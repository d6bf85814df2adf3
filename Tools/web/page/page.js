"use strict";

const byId = (id) => document.getElementById(id);
/** Bones of a hand, as pairs of its 21 points. */
const bones = [
  [0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 6], [6, 7], [7, 8], [5, 9], [9, 10], [10, 11], [11, 12], [9, 13],
  [13, 14], [14, 15], [15, 16], [13, 17], [17, 18], [18, 19], [19, 20], [0, 17],
];
/** Bones of a body, as pairs of its 33 points. */
const bodyBones = [
  [11, 12], [11, 13], [13, 15], [12, 14], [14, 16], [11, 23], [12, 24], [23, 24], [23, 25], [25, 27], [24, 26], [26, 28],
  [27, 31], [28, 32], [15, 19], [16, 20],
];
/** Bones of the arms, as pairs of the points of shoulders, elbows and wrists; the left one of each comes first. */
const armBones = [[[0, 2], [2, 4]], [[1, 3], [3, 5]]];
const sides = { width: 640, height: 360 };
/** An open hand, a fist and a fist with one finger, in a square of 64. */
const open = `<rect class="palm" x="22" y="31" width="23" height="22" rx="8"/>
  <path d="M24.8 36V17M31 35V12M37 35V14M42.6 37V20M25 46 14.5 36"/>`;
const fist = `<rect class="palm" x="19" y="27" width="27" height="25" rx="10"/>
  <path class="gap" d="M26 28v9M32.5 28v9M39 28v9M22 40h14"/>`;
const finger = `<g transform="translate(0 4)">${fist}<path d="M23 34V10"/></g>`;
const pinch = `<rect class="palm" x="27" y="36" width="27" height="23" rx="10"/><path d="M44 42 43 20M33 50 15 39"/>
  <path class="gap" d="M54 43H44M54 49H44"/>`;
const thumb = `<rect class="palm" x="18" y="28" width="31" height="27" rx="10"/>
  <path d="M25 34 29 11"/><path class="gap" d="M49 35H38M49 41.5H38M49 48H38"/>`;
const swipe = (way, turn = "") => `<g transform="${turn}"><g transform="translate(16 4) scale(0.86)">${open}</g></g>
  <path class="way" d="${way}"/>`;
/** The drawing of each gesture. */
const drawings = new Map(Object.entries({
  swipeLeft: swipe("M20 20H5m6-6-6 6 6 6"),
  swipeRight: swipe("M44 20h15m-6-6 6 6-6 6", "matrix(-1 0 0 1 64 0)"),
  swipeUp: swipe("M13 40V14m-6 6 6-6 6 6"),
  swipeDown: swipe("M13 14v26m-6-6 6 6 6-6"),
  zoomIn: `${pinch}<path class="way" d="M9 26 35 8M16 26 9 26 11 19M28 8 35 8 33 15"/>`,
  zoomOut: `${pinch}<path class="way" d="M6 28 18 20M11 19 18 20 16 27M39 5 27 13M34 14 27 13 29 6"/>`,
  grab: `<g transform="translate(-8 -7) scale(1.22)">${fist}</g>
    <path class="way" d="M17 5v11m-5-5 5 5 5-5M47 5v11m-5-5 5 5 5-5"/>`,
  tap: `${finger}<path class="way" d="M13 15a11 11 0 0 1 21 0"/>`,
  point: finger,
  openPalm: open,
  thumbsUp: thumb,
  thumbsDown: `<g transform="matrix(1 0 0 -1 0 66)">${thumb}</g>`,
}));
/** That of a gesture of one's own: a star. */
const star = `<path class="palm" d="M32 9l7 15 16 2-12 11 3 16-14-8-14 8 3-16L9 26l16-2z"/>`;
/** The build of a page that needs no server, which has the engine beside it; nothing on the page of a server. */
const meta = document.querySelector("meta[name=engine]"), build = meta?.content;
/** Bytes of the engine with the networks of hands, and of the networks of bodies. */
const engineBytes = Number(meta?.dataset.bytes), bodyBytes = Number(meta?.dataset.more);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
/** Pictures that the server may not have answered yet. */
const inFlightLimit = 2;
const trackSeconds = 10;
const rowHeight = 24;

const picture = byId("picture");
const pen = picture.getContext("2d", { alpha: false });
const tracks = byId("tracks");
const trackPen = tracks.getContext("2d");

let socket = null;         // the server's session
let camera = null;         // the engine of this tab
let hello = null;
let state = null;          // the latest report "settings"
let wanted = null;         // settings as the page has them
let stream = null;         // the browser's camera
let video = null;          // what plays: a video element, or the camera that the tab's engine reads itself
let origin = null;         // the file of gestures with which the server began
let isRestored = false, isRestoring = false;
let sent = 0, answered = 0, superseded = 0, skipped = 0;
let latest = null;         // the latest report of a frame
let shown = null;          // the picture that is drawn
let waiting = [];          // pictures that the server has not answered yet
let isOpening = false;
const samples = [];        // [time, scores]
const frameTimes = [], came = [], works = [], trips = [];
let retry = 500;

/** Words of a label such as swipeLeft. */
function words(label) {
  const text = label.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

let forgetting = null;
/** Tells a problem for a while. */
function say(sentence) {
  const problem = byId("problem");
  problem.textContent = sentence;
  problem.hidden = !sentence;
  clearTimeout(forgetting);
  if (sentence) forgetting = setTimeout(say, 12000, "");
}

/** What this browser keeps between visits; the page alone does if storage is forbidden. */
const memory = {}, entry = (name) => `swift-gesture ${name}`;
function store(name, value) {
  memory[name] = value;
  try { localStorage.setItem(entry(name), JSON.stringify(value)); } catch { /* It stays in memory. */ }
}
function stored(name) {
  if (name in memory) return memory[name];
  try { return JSON.parse(localStorage.getItem(entry(name))); } catch { return null; }
}

// MARK: Connection

function connect() {
  if (build) connectTab(); else connectServer();
}

/** The networks of bodies that the service worker has not kept. */
async function missingBodies() {
  const files = ["pose-detection", "pose-landmark-full"].map((name) => `weights/${name}.safetensors`);
  const found = await Promise.all(files.map((file) => globalThis.caches?.match(file).catch(() => null)));
  return files.filter((_, index) => !found[index]);
}

let isKeeping = false;

/** Has the service worker keep the networks of bodies. The engine's own worker was there before it on a first visit. */
async function keepBodies() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || isKeeping) return;
  isKeeping = true;
  if (!serviceWorker.controller) await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  for (const file of await missingBodies()) fetch(file, { cache: "force-cache" }).catch(() => {});
}

/** The engine in this tab. */
async function connectTab() {
  const early = [];          // Its first reports come before it is there.
  let loaded = 0, wantedBytes = engineBytes;
  empty("Loading the engine. It stays in this browser, so the next visit is quick.");
  byId("progress").hidden = false;
  connection("wait", "Loading");
  // Arms are watched on every visit once this browser has their networks.
  const arms = stored("arms") ?? ((await missingBodies()).length ? undefined : true);
  if (arms) wantedBytes += bodyBytes;
  try {
    const { GestureCamera } = await import("./gesture/camera.js");
    camera = await GestureCamera.create({
      pictures: true, arms,
      onReport: (report, more) => { if (camera) receiveOfTab(report, more); else early.push(report); },
      onError: (error) => say(error.message),
      onLoading: (bytes) => {
        loaded += bytes;
        if (loaded > wantedBytes) wantedBytes += bodyBytes;
        connection("wait", `Loading, ${megabytes(loaded)} of ${megabytes(wantedBytes)} MB`);
        Object.assign(byId("progress"), { value: loaded, max: wantedBytes });
      },
    });
  } catch (error) {
    connection("lost", "No engine");
    const isFile = location.protocol === "file:";
    return empty(isFile ? "Browsers open this page from a server alone, such as python3 -m http.server." : error.message);
  }
  for (const report of early) receive(report);
  navigator.serviceWorker?.register("offline.js", { updateViaCache: "none" }).catch(() => {
    // The page works without it, as in private windows that have none.
  });
}

function receiveOfTab(report, { picture, latency }) {
  if (picture) {
    const grabber = nextGrabber(picture.displayWidth, picture.displayHeight);
    grabber.pen.drawImage(picture, 0, 0);
    shown = grabber.canvas;
  }
  receive(report, latency);
}

/** A server's report of a frame, with numbers as those of the tab's engine: points as shares of the picture, and scores of 0...1. */
function fromServer(report) {
  if (report.kind !== "frame") return report;
  const shares = (points, stride) => points.map((value, index) => value / (index % stride === 2 ? 1000 : 10000));
  report.scores &&= report.scores.map((score) => score / 1000);
  for (const hand of report.hands) hand.points = hand.points.flatMap((value, index) => index % 2 ? [value / 10000, 0] : [value / 10000]);
  if (report.arms) report.arms.points = shares(report.arms.points, 3);
  if (report.bodies) report.bodies.people = report.bodies.people.map((points) => ({ points: shares(points, 3) }));
  return report;
}

function connectServer() {
  // A page without a server that was here before may have left its files.
  navigator.serviceWorker?.getRegistrations().then((all) => all.forEach((registration) => registration.unregister()), () => {});
  socket = new WebSocket(`ws://${location.host}/session`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { retry = 500; sent = answered = 0; waiting = []; };
  socket.onmessage = (message) => {
    if (typeof message.data === "string") receive(fromServer(JSON.parse(message.data))); else show(new DataView(message.data));
  };
  socket.onclose = (event) => {
    const isFull = event.code === 1013;
    connection("lost", isFull ? "No place for this page" : "The program is not running");
    if (isFull) empty(`${event.reason} This page then connects by itself.`);
    else if (!video) empty("Start gesture-bench serve, and this page connects by itself.");
    latest = null;
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 5000);
  };
}

function connection(name, text) {
  byId("connection").dataset.state = name;
  byId("connection").textContent = text;
}

function tell(command) {
  // What is refused is a report, too; a file that does not come is none.
  if (camera) camera.perform(command).catch((error) => { if (error.code !== "refused") fail(error.message); });
  else if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
}

/** - latency: milliseconds from the picture to its report; nothing if this page knows that of its own. */
function receive(report, latency) {
  switch (report.kind) {
    case "hello": return showHello(report);
    case "settings": return apply(report);
    case "frame": return frame(report, latency);
    case "teaching": return teaching(report);
    case "taught": return taught(report);
    case "failure": return fail(report.sentence);
    case "clip": return clip(report.isPlaying);
  }
}

function fail(sentence) {
  showVersion();
  say(isRestoring ? `The gestures that this browser keeps are left out. ${sentence}` : sentence);
  isRestoring = false;
  if (!state) return;
  wanted = { touchedMirror: wanted.touchedMirror, ...state.settings };
  showSettings();
}

function showVersion() {
  if (hello) connection("open", hello.source ? `Version ${hello.version}, ${hello.source}` : `Version ${hello.version}`);
}

function showHello(report) {
  hello = report;
  // Another engine has no pointers yet.
  point(false);
  byId("modes").hidden = hello.frontEnd !== "landmarks";
  showVersion();
  byId("sources").hidden = Boolean(report.source);
  listCameras();
  byId("clips").hidden = report.source !== null && report.source !== undefined;
  say("");
  isRestored = isRestoring = false;
  byId("privacy").hidden = Boolean(report.source);
  if (report.source) return;
  byId("privacy").textContent = build
    ? "The camera's pictures never leave this tab." : "The camera's pictures go to the program on this machine and nowhere else.";
  if (video) return empty(null);
  empty(byId("privacy").textContent, "allow", "demo");
  begin();
}

/** Opens the camera if it may. Without a server, whoever has none or has not allowed it sees the demo. */
async function begin() {
  // Not every browser says this of cameras.
  const permission = await navigator.permissions?.query({ name: "camera" }).catch(() => null);
  if (permission?.state === "granted") await openCamera();
  if (build && !stream && !video) playDemo();
}

function empty(text, ...buttons) {
  byId("empty").hidden = text === null;
  byId("emptyText").textContent = text ?? "";
  picture.style.visibility = text === null ? "visible" : "hidden";
  byId("hint").hidden = byId("progress").hidden = true;
  for (const id of ["allow", "demo", "again"]) byId(id).hidden = !buttons.includes(id);
}

function clip(isPlaying) {
  if (isPlaying) { samples.length = 0; return empty(null); }
  empty(`The end of ${hello.source}.`, "again");
}

byId("allow").onclick = byId("invited").onclick = openCamera;
byId("demo").onclick = playDemo;
byId("again").onclick = () => { if (hello.source) tell({ do: "play" }); else playDemo(); };

// MARK: Camera

async function openCamera() {
  if (stream || isOpening || !hello || hello.source) return;
  const chosen = byId("cameras").value;
  byId("invitation").hidden = true;
  if (!navigator.mediaDevices) return empty("This browser gives its camera to http://localhost alone. Open that address.");
  empty("Allow the camera in the browser.");
  isOpening = true;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: {
        width: { ideal: sides.width }, height: { ideal: sides.height }, frameRate: { ideal: 30 },
        ...["user", "environment"].includes(chosen) ? { facingMode: chosen } : chosen ? { deviceId: { exact: chosen } } : {},
      },
    });
  } catch (error) {
    const reasons = {
      NotAllowedError: "The camera is not allowed. Allow it in the browser's address bar and try again.",
      NotFoundError: "No camera was found. Connect one, or play the demo.",
      NotReadableError: "Another program uses the camera. Close it and try again.",
    };
    const reason = reasons[error.name] ?? unusable(error);
    if (!video) return empty(reason, "allow", "demo");
    // The demo goes on.
    empty(null);
    invite();
    return say(reason);
  } finally {
    isOpening = false;
  }
  listCameras();
  stream.getVideoTracks()[0].onended = () => {
    stream = null;
    leave("The camera was disconnected.", "allow", "demo");
  };
  try {
    if (!camera) return await play((element) => { element.srcObject = stream; });
    video?.pause?.();
    video = stream;
    empty(null);
    mirror();
    await camera.watch(stream);
  } catch (error) {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    leave(unusable(error), "allow", "demo");
  }
}

/** The cameras to choose from. Their names are known once one is allowed; before that, phones have a front and a rear one. */
async function listCameras() {
  const list = byId("cameras"), current = stream?.getVideoTracks()[0].getSettings() ?? {};
  const all = (await navigator.mediaDevices?.enumerateDevices().catch(() => []) ?? [])
    .filter(({ kind, deviceId, label }) => kind === "videoinput" && deviceId && label);
  const options = matchMedia("(pointer: coarse)").matches
    ? [new Option("Front camera", "user"), new Option("Rear camera", "environment")]
    : all.map(({ label, deviceId }) => new Option(label.replace(/ \([0-9a-f:]+\)$/, ""), deviceId));
  const before = list.value;
  list.replaceChildren(...options);
  const value = [current.facingMode, current.deviceId, before].find((one) => options.some((option) => option.value === one));
  if (value) list.value = value;
  list.hidden = options.length < 2;
}
byId("cameras").onchange = () => {
  closeCamera();
  openCamera();
};

const unusable = (error) => `The camera cannot be used: ${(error.message || error.name).replace(/\.$/, "")}.`;

/** No more pictures come: nothing that was said of them stays. */
function leave(text, ...buttons) {
  video = latest = null;
  area.show();
  camera?.stop();
  // What has begun ends.
  camera?.finish().catch((error) => say(error.message));
  if (isTeaching) tell({ do: "stop" });
  byId("invitation").hidden = byId("speed").hidden = byId("repetitionsBox").hidden = true;
  for (const id of ["rate", "trip", "pace"]) byId(id).textContent = "–";
  byId("arms").textContent = "Watched";
  byId("hands").textContent = "";
  empty(text, ...buttons);
}

/** Offers the camera to whoever sees the demo. */
function invite(what = "A recording") {
  byId("shown").textContent = what;
  byId("invitation").hidden = !build;
}

/** Turns the camera off, because something else is shown. */
function closeCamera() {
  const [track] = stream?.getTracks() ?? [];
  if (track) track.onended = null;
  track?.stop();
  stream = null;
}

/** The address of the visitor's own picture or video. */
let opened = null;

/** Shows a picture or a video of the visitor's own. */
async function openFile(file) {
  if (!hello || hello.source) return;
  const kind = file?.type.split("/")[0];
  if (kind !== "image" && kind !== "video") return say("That is neither a picture nor a video.");
  if (opened) URL.revokeObjectURL(opened);
  const address = opened = URL.createObjectURL(file);
  closeCamera();
  video?.pause?.();
  byId("invitation").hidden = true;
  say("");
  try {
    if (kind === "image") {
      await showStill(address);
      return invite("Your picture");
    }
    await play((element) => { element.src = address; });
    const playing = video;
    invite("Your video");
    playing.onended = () => {
      if (video === playing) leave("That was your video.", "allow", "demo");
    };
  } catch {
    leave(`This browser cannot show ${file.name}.`, "allow", "demo");
  }
}

/** Shows a picture for as long as nothing else is shown: as a stream of one canvas. */
async function showStill(address) {
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  const scale = Math.min(1, 2 * sides.width / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.max(16, Math.round(side * scale)));
  const brush = canvas.getContext("2d");
  const paint = () => brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  paint();
  const still = canvas.captureStream(10);
  await play((element) => { element.srcObject = still; });
  const playing = video;
  // A canvas gives a picture each time it is painted. The networks need some to be sure.
  const timer = setInterval(() => { if (video === playing) paint(); else clearInterval(timer); }, 100);
}

byId("open").onchange = () => {
  const [file] = byId("open").files;
  byId("open").value = "";
  if (file) openFile(file);
};
const screen = picture.parentElement;
for (const name of ["dragover", "dragleave", "drop"]) {
  addEventListener(name, (event) => {
    event.preventDefault();
    screen.dataset.over = name === "dragover";
    if (name === "drop" && event.dataTransfer.files.length) openFile(event.dataTransfer.files[0]);
  });
}

/** Sends the demo clip as if it were the camera. */
async function playDemo() {
  empty("Loading the demo.");
  try {
    // As a whole: not every browser plays a video of which it cannot ask for parts.
    const file = await (await fetch("demo.mp4")).blob();
    // The camera may have come first, here and while the video begins.
    if (stream) return;
    const clip = URL.createObjectURL(file);
    await play((element) => { element.src = clip; });
    if (stream) return;
    const playing = video;
    invite();
    playing.onended = () => {
      URL.revokeObjectURL(clip);
      if (video === playing) leave("That was the demo. Now your own hand.", "allow", "again");
    };
  } catch (error) {
    if (stream) return;
    video = null;
    empty(`The demo cannot be played: ${error.message}`, "allow");
  }
}

/** Plays a video, and sends its pictures until another one plays or none. */
async function play(set) {
  const playing = video = document.createElement("video");
  playing.muted = true;
  playing.playsInline = true;
  set(playing);
  await playing.play();
  if (video !== playing) return playing.pause();
  empty(null);
  mirror();
  if (camera) return camera.watch(playing);
  const again = (next) => playing.requestVideoFrameCallback ? playing.requestVideoFrameCallback(next) : setTimeout(next, 33);
  let start = null;
  const next = (now, frame) => {
    if (video !== playing) return;
    // A clip's pictures have its own times, which are steadier than those at which they are shown.
    start ??= performance.now() - 1000 * (frame?.mediaTime ?? 0);
    grab(stream || !frame ? performance.now() : start + 1000 * frame.mediaTime);
    again(next);
  };
  again(next);
}

/** A camera that faces the user is a mirror, and others, the demo and files are none, unless the user has decided. */
function mirror() {
  const isFacing = Boolean(stream) && stream.getVideoTracks()[0].getSettings().facingMode !== "environment";
  if (wanted && video && !wanted.touchedMirror && wanted.isMirrored !== isFacing) change({ isMirrored: isFacing });
}

/** Canvases in turn: those that wait, the one that is drawn, and the next. */
const grabbers = Array.from({ length: inFlightLimit + 2 }, () => {
  const canvas = document.createElement("canvas");
  return { canvas, pen: canvas.getContext("2d", { willReadFrequently: true }) };
});
let turn = 0;

/** The next canvas, in this size. */
function nextGrabber(width, height) {
  turn = (turn + 1) % grabbers.length;
  const { canvas } = grabbers[turn];
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  return grabbers[turn];
}

/** Takes the newest picture, and sends it with its time in milliseconds unless the server has enough to do. */
function grab(now) {
  if (!video.videoWidth) return;
  const isOpen = socket && socket.readyState === WebSocket.OPEN && state;
  if (isOpen && (sent - answered >= inFlightLimit || socket.bufferedAmount > 0)) { skipped += 1; return; }
  const scale = Math.min(1, sides.width / Math.max(video.videoWidth, video.videoHeight));
  const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.max(16, Math.round(side * scale)));
  const grabber = nextGrabber(width, height);
  grabber.pen.drawImage(video, 0, 0, width, height);
  if (!isOpen) { shown = grabber.canvas; return draw(); }
  const time = Math.round(now * 1000);
  sent += 1;
  waiting.push({ time, canvas: grabber.canvas });
  socket.send(message(grabber.pen.getImageData(0, 0, width, height), time));
}

/** A picture in I420 of full range, BT.601, behind its header. */
function message(image, time) {
  const { width, height, data } = image;
  const halfWidth = (width + 1) >> 1, halfHeight = (height + 1) >> 1;
  const buffer = new ArrayBuffer(16 + width * height + 2 * halfWidth * halfHeight);
  const head = new DataView(buffer);
  head.setUint8(0, 0x47); head.setUint8(1, 0x50); head.setUint8(2, 1); head.setUint8(3, 2);
  head.setUint16(4, width, true); head.setUint16(6, height, true);
  head.setBigUint64(8, BigInt(time), true);
  const luma = new Uint8Array(buffer, 16, width * height);
  for (let i = 0, p = 0; i < luma.length; i++, p += 4) {
    luma[i] = (77 * data[p] + 150 * data[p + 1] + 29 * data[p + 2] + 128) >> 8;
  }
  const blue = new Uint8Array(buffer, 16 + luma.length, halfWidth * halfHeight);
  const red = new Uint8Array(buffer, 16 + luma.length + blue.length, blue.length);
  for (let y = 0, i = 0; y < halfHeight; y++) {
    const row = 2 * y * width, below = Math.min(2 * y + 1, height - 1) * width;
    for (let x = 0; x < halfWidth; x++, i++) {
      const left = 2 * x, right = Math.min(left + 1, width - 1);
      let r = 0, g = 0, b = 0;
      for (const at of [row + left, row + right, below + left, below + right]) {
        r += data[4 * at]; g += data[4 * at + 1]; b += data[4 * at + 2];
      }
      blue[i] = Math.min(255, Math.max(0, 128 + ((-43 * r - 85 * g + 128 * b) >> 10)));
      red[i] = Math.min(255, Math.max(0, 128 + ((128 * r - 107 * g - 21 * b) >> 10)));
    }
  }
  return buffer;
}

// MARK: Pictures of the server

/** Shows a picture that the server sends. */
function show(view) {
  const format = view.getUint8(3), width = view.getUint16(4, true), height = view.getUint16(6, true);
  const image = new ImageData(width, height), pixels = image.data;
  const bytes = new Uint8Array(view.buffer, 16);
  if (format === 1) {
    pixels.set(bytes);
  } else {
    const halfWidth = (width + 1) >> 1, blueAt = width * height, redAt = blueAt + halfWidth * ((height + 1) >> 1);
    const [black, gain] = format === 3 ? [16, 1.164] : [0, 1];
    const colour = format === 3 ? 1.138 : 1;
    for (let y = 0, i = 0; y < height; y++) {
      const row = (y >> 1) * halfWidth;
      for (let x = 0; x < width; x++, i++) {
        const luma = (bytes[i] - black) * gain;
        const blue = (bytes[blueAt + row + (x >> 1)] - 128) * colour, red = (bytes[redAt + row + (x >> 1)] - 128) * colour;
        pixels[4 * i] = luma + 1.402 * red;
        pixels[4 * i + 1] = luma - 0.344 * blue - 0.714 * red;
        pixels[4 * i + 2] = luma + 1.772 * blue;
        pixels[4 * i + 3] = 255;
      }
    }
  }
  const grabber = nextGrabber(width, height);
  grabber.pen.putImageData(image, 0, 0);
  shown = grabber.canvas;
}

// MARK: Drawing

const isMirrored = () => Boolean(wanted && wanted.isMirrored);

function draw() {
  if (!shown) return;
  const { width, height } = shown;
  if (picture.width !== width || picture.height !== height) {
    Object.assign(picture, { width, height });
    picture.parentElement.dataset.upright = height > width;
  }
  pen.save();
  if (isMirrored()) { pen.translate(width, 0); pen.scale(-1, 1); }
  pen.drawImage(shown, 0, 0);
  const thick = Math.max(2, width / 220);
  pen.lineCap = "round";
  /** Draws the bones between points with visibility, as far as they are visible. */
  const limbs = (points, stride, visibility, pairs, colour, wide) => {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.beginPath();
    for (const [from, to] of pairs) {
      if (Math.min(points[stride * from + visibility], points[stride * to + visibility]) < 0.5) continue;
      pen.moveTo(points[stride * from] * width, points[stride * from + 1] * height);
      pen.lineTo(points[stride * to] * width, points[stride * to + 1] * height);
    }
    pen.stroke();
  };
  // The tab has x, y, z, visibility and presence, a server x, y and visibility.
  for (const { points } of latest?.bodies?.people ?? []) {
    const stride = points.length / 33;
    limbs(points, stride, stride === 5 ? 3 : 2, bodyBones, "#f2b84b", thick * 1.5);
  }
  if (latest?.arms) {
    const { points, gesturing } = latest.arms;
    limbs(points, 3, 2, [[0, 1], ...armBones[1 - gesturing]], "#c78bf0", thick);
    limbs(points, 3, 2, armBones[gesturing], "#c78bf0", thick * 2.5);
  }
  for (const hand of latest?.hands ?? []) {
    const at = (index) => [hand.points[3 * index] * width, hand.points[3 * index + 1] * height];
    for (const [colour, extra] of [["rgb(0 0 0 / 0.45)", 2], ["#ffffff", 0]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = thick + extra;
      pen.beginPath();
      for (const [from, to] of bones) { pen.moveTo(...at(from)); pen.lineTo(...at(to)); }
      pen.stroke();
    }
    for (let index = 0; index < 21; index++) {
      pen.beginPath();
      pen.arc(...at(index), thick * 1.5, 0, 2 * Math.PI);
      pen.fillStyle = latest.active ? "#37d3a4" : "#2aa4d8";
      pen.fill();
    }
  }
  pen.restore();
}

let drawing = false;
function drawTracks() {
  drawing = false;
  if (!state) return;
  const ratio = window.devicePixelRatio || 1;
  const width = tracks.clientWidth, height = state.labels.length * rowHeight;
  if (tracks.width !== Math.round(width * ratio) || tracks.height !== Math.round(height * ratio)) {
    tracks.width = Math.round(width * ratio);
    tracks.height = Math.round(height * ratio);
  }
  const style = getComputedStyle(document.documentElement);
  const [track, accent, soft] = ["--track", "--accent", "--soft"].map((name) => style.getPropertyValue(name));
  trackPen.setTransform(ratio, 0, 0, ratio, 0, 0);
  trackPen.clearRect(0, 0, width, height);
  const now = samples.length ? samples[samples.length - 1][0] : 0;
  state.labels.forEach((label, row) => {
    const top = row * rowHeight + 4, tall = rowHeight - 8;
    trackPen.fillStyle = track;
    trackPen.beginPath();
    trackPen.roundRect(0, top, width, tall, 3);
    trackPen.fill();
    trackPen.beginPath();
    trackPen.moveTo(width, top + tall);
    for (let index = samples.length - 1; index >= 0; index--) {
      const x = width * (1 - (now - samples[index][0]) / trackSeconds);
      trackPen.lineTo(x, top + tall * (1 - (samples[index][1][row] ?? 0)));
      if (x < 0 || index === 0) { trackPen.lineTo(Math.max(x, 0), top + tall); break; }
    }
    trackPen.fillStyle = row === state.nullIndex ? soft : accent;
    trackPen.globalAlpha = row === state.nullIndex ? 0.35 : 0.85;
    trackPen.fill();
    trackPen.globalAlpha = 1;
    if (row === state.nullIndex) return;
    trackPen.fillStyle = soft;
    trackPen.globalAlpha = 0.5;
    trackPen.fillRect(0, top + tall * (1 - state.beginConfidence), width, 1);
    trackPen.globalAlpha = 1;
  });
}

window.onresize = drawTracks;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTracks);

// MARK: Frames

function mean(values) { return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length); }
function keep(values, value, count) { values.push(value); if (values.length > count) values.shift(); }

function frame(report, latency) {
  const now = performance.now();
  latest = report;
  if (camera) {
    if (report.outcome !== "closed") keep(trips, latency, 30);
  } else if (hello && !hello.source) {
    answered = report.received || answered;
    // The hands belong to this picture, and not to the newest.
    shown = waiting.find((other) => other.time === report.time)?.canvas ?? shown;
    waiting = waiting.filter((other) => other.time > report.time);
    if (report.outcome !== "closed") keep(trips, now - report.time / 1000, 30);
  }
  if (!video && !hello?.source) {
    // The last words of a camera that has gone.
    latest = null;
    for (const event of report.events) happen(event, null);
    return;
  }
  draw();
  if (isPointing && report.pointers?.length) area.show(report);
  if (report.outcome !== "closed") {
    superseded = report.superseded;
    keep(frameTimes, now, 31);
    keep(came, report.received + skipped, 31);
    keep(works, report.work / 1000, 30);
  }
  // A stream's last events come without a picture.
  const late = hello?.source || report.outcome === "closed" ? null : latency ?? now - report.time / 1000;
  for (const event of report.events) happen(event, late);
  if (report.scores) {
    samples.push([report.time / 1e6, report.scores]);
    while (samples.length && samples[0][0] < report.time / 1e6 - trackSeconds - 1) samples.shift();
    showScores(report);
  }
  const { bodies } = report;
  byId("repetitionsBox").hidden = typeof bodies?.repetitions !== "number";
  if (!byId("repetitionsBox").hidden) byId("repetitions").textContent = `${bodies.repetitions}, ${bodies.phase}`;
  byId("arms").textContent = report.arms ? `Watched, ${["left", "right"][report.arms.gesturing]} leads` : "Watched, no body";
  showHands(report.hands);
  const isEmpty = hello?.frontEnd === "landmarks" && report.hands.length === 0 && !bodies;
  const advice = bodies?.advice[0];
  const hint = report.quality[0] ?? (advice ? words(advice) : null) ?? (isEmpty ? "No hand in view" : "");
  showHint(hint);
  if (!drawing) { drawing = true; requestAnimationFrame(drawTracks); }
}

/** Side and pose of each hand. */
function showHands(hands) {
  const said = hands.map(({ side, pose }) => [`${side} hand`, pose && words(pose).toLowerCase().replace("ilove you", "I-love-you")]
    .filter(Boolean).join(": ")).join(", ");
  const text = said.charAt(0).toUpperCase() + said.slice(1);
  if (byId("hands").textContent !== text) byId("hands").textContent = text;
}

/** Says what the user might do for the pictures to be better, if there are any. */
function showHint(hint) {
  byId("hint").textContent = hint;
  byId("hint").hidden = !hint || !byId("empty").hidden;
}

function showScores(report) {
  const rows = byId("names").children;
  const lead = report.scores.indexOf(Math.max(...report.scores));
  report.scores.forEach((score, index) => {
    const row = rows[index];
    if (!row) return;
    row.lastChild.textContent = `${Math.round(100 * score)} %`;
    row.dataset.lead = index === lead;
    row.dataset.active = state.labels[index] === report.active;
  });
}

setInterval(() => {
  if (!latest || frameTimes.length < 2) return;
  const pace = byId("pace");
  const span = (frameTimes[frameTimes.length - 1] - frameTimes[0]) / 1000;
  const isStill = performance.now() - frameTimes[frameTimes.length - 1] > 1000;
  // What it says of a hand is no longer so: the camera may be covered or used by another program.
  if (isStill && byId("empty").hidden) showHint("No pictures come");
  const [rate, camera] = [frameTimes.length - 1, came[came.length - 1] - came[0]].map((count) => Math.round(count / span));
  byId("rate").textContent = isStill ? "none" : camera > rate + 1 ? `${rate} of ${camera} a second` : `${rate} a second`;
  byId("speed").hidden = false;
  byId("work").textContent = mean(works).toFixed(1);
  byId("trip").textContent = trips.length ? `${mean(trips).toFixed(0)} ms` : "–";
  pace.textContent = latest.limit ? `${latest.pace}: ${latest.limit}` : latest.pace;
}, 500);

// MARK: Events

let begun = null;
const events = [];         // for tests and the curious

/** - late: milliseconds since the picture that decided; null if that is unknown. */
function happen(event, late) {
  const time = new Date().toLocaleTimeString([], { hour12: false });
  events.push({ ...event, shownAfter: late });
  const gesture = byId("gesture");
  if (event.event === "begin") {
    gesture.textContent = words(event.label);
    gesture.dataset.idle = "false";
    gesture.dataset.new = "false";
    requestAnimationFrame(() => { gesture.dataset.new = "true"; });
    byId("detail").textContent = `Confidence ${(event.confidence / 1000).toFixed(2)}` +
      (late === null ? "" : `, shown ${late.toFixed(0)} ms after its picture`);
    byId("announcement").textContent = words(event.label);
    tick(event.label);
    if (state?.userGestures.includes(event.label)) celebrate(event.label);
    const item = document.createElement("li");
    const [name, confidence, when] = ["strong", "small", "small"].map((tag) => document.createElement(tag));
    name.textContent = words(event.label);
    confidence.textContent = (event.confidence / 1000).toFixed(2);
    when.textContent = time;
    item.append(name, confidence, when);
    item.dataset.open = "true";
    item.dataset.label = event.label;
    byId("history").prepend(item);
    while (byId("history").children.length > 50) byId("history").lastChild.remove();
    begun = { item, onset: event.onset };
  } else {
    for (const tile of byId("tiles").children) tile.dataset.now = false;
    if (begun) {
      begun.item.dataset.open = "false";
      begun.item.children[1].textContent =
        `${(event.confidence / 1000).toFixed(2)}, ${((event.onset - begun.onset) / 1e6).toFixed(1)} s`;
    }
    begun = null;
    const ended = gesture.textContent;
    setTimeout(() => {
      if (begun || gesture.textContent !== ended) return;
      gesture.textContent = "No gesture";
      gesture.dataset.idle = "true";
      byId("detail").textContent = `${ended} was the last.`;
    }, 900);
  }
}

// MARK: Tiles

const made = new Set();

/** A tile for every gesture, the user's own last. */
function showTiles() {
  const labels = state.labels.filter((_, index) => index !== state.nullIndex);
  byId("tiles").replaceChildren(...labels.map((label) => {
    const item = document.createElement("li");
    item.innerHTML = `<svg viewBox="0 0 64 64" aria-hidden="true">${drawings.get(label) ?? star}</svg><span></span>`;
    item.lastChild.textContent = item.title = words(label);
    Object.assign(item.dataset, { label, done: made.has(label), own: state.userGestures.includes(label) });
    return item;
  }));
  countTiles();
}

function countTiles() {
  const tiles = [...byId("tiles").children];
  const done = tiles.filter((tile) => tile.dataset.done === "true").length;
  const isAll = done === tiles.length;
  byId("tilesCount").textContent = isAll ? `All ${done}! Now teach one of your own.` : `${done} of ${tiles.length}`;
}

function tick(label) {
  made.add(label);
  for (const tile of byId("tiles").children) {
    tile.dataset.now = tile.dataset.label === label;
    if (tile.dataset.label !== label) continue;
    tile.dataset.new = tile.dataset.done !== "true";
    tile.dataset.done = true;
  }
  countTiles();
}

/** A gesture of one's own is shouted over the picture, with sparks from the hand. */
function celebrate(label) {
  const screen = byId("picture").parentElement, shout = byId("shout");
  shout.textContent = `${words(label)}!`;
  shout.hidden = false;
  screen.dataset.lit = true;
  setTimeout(() => { shout.hidden = true; screen.dataset.lit = false; }, 1400);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  shout.animate([{ transform: "scale(0.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 180, easing: "ease-out" });
  const points = latest?.hands[0]?.points;
  const [x, y] = points ? [100 * points[27], 100 * points[28]] : [50, 50];
  for (let index = 0; index < 40; index++) {
    const spark = document.createElement("i");
    spark.className = "spark";
    Object.assign(spark.style, {
      left: `${isMirrored() ? 100 - x : x}%`, top: `${y}%`, background: `hsl(${index * 47 % 360} 85% 62%)`,
    });
    const angle = index / 40 * 2 * Math.PI, far = 120 + 200 * Math.random();
    screen.append(spark);
    spark.animate([{ transform: "none", opacity: 1 }, {
      transform: `translate(${far * Math.cos(angle)}px, ${far * Math.sin(angle) + 60}px) rotate(${far}deg)`, opacity: 0,
    }], { duration: 900 + 500 * Math.random(), easing: "cubic-bezier(0.1, 0.7, 0.3, 1)" }).onfinish = () => spark.remove();
  }
}

byId("clear").onclick = () => byId("history").replaceChildren();

// MARK: Settings

function apply(report) {
  const before = state;
  // Networks that it asked for have come.
  showVersion();
  state = report;
  if (build && (report.watchesArms || report.settings.bodies)) keepBodies();
  wanted = { touchedMirror: wanted?.touchedMirror, ...report.settings };
  isRestoring = false;
  if (!isRestored) restore(report); else remember(report, before);
  samples.length = 0;
  const list = byId("names");
  list.replaceChildren(...report.labels.map((label, index) => {
    const item = document.createElement("li");
    const [name, score] = ["span", "b"].map((tag) => document.createElement(tag));
    name.textContent = index === report.nullIndex ? "Nothing" : words(label);
    name.title = label;
    score.textContent = "–";
    item.append(name, score);
    item.dataset.denied = report.settings.deniedClasses.includes(label);
    return item;
  }));
  byId("taught").replaceChildren(...report.userGestures.map((label) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "×";
    button.setAttribute("aria-label", `Forget ${label}`);
    button.onclick = () => tell({ do: "forget", label });
    item.append(label, button);
    return item;
  }));
  byId("save").disabled = !report.file;
  byId("pointMode").disabled = false;
  showTiles();
  byId("labels").replaceChildren(...report.labels.map((label) => new Option(label, label)));
  showSettings();
  drawTracks();
  draw();
}

/** Where the taught gestures are stored: those of a file that the program began with have a place of their own. */
const place = () => origin ? "gestures of the file" : "gestures";

/** Gives a program that has just been met what this browser keeps. */
function restore(report) {
  isRestored = true;
  origin = report.file ?? null;
  const settings = stored("settings");
  if (settings) {
    const { touchedMirror, isMirrored, ...others } = settings;
    wanted = { ...wanted, ...others, touchedMirror };
    if (touchedMirror) wanted.isMirrored = isMirrored;
    change({});
  }
  mirror();
  takeGestures(report);
}

/** Gives the program the gestures that this browser keeps, if it began with the same file as when they were stored. */
function takeGestures(report) {
  const gestures = stored(place()), file = report.file ?? null;
  if (gestures?.origin !== origin || gestures.file === file) return;
  if (!gestures.file) return report.userGestures.forEach((label) => tell({ do: "forget", label }));
  isRestoring = true;
  tell({ do: "load", file: gestures.file });
}

// Another tab has taught or forgotten one: without it, what this tab stores next would undo that.
addEventListener("storage", ({ key }) => {
  if (!isRestored || key !== entry(place())) return;
  delete memory[place()];
  takeGestures(state);
});

/** Keeps what the program has accepted. */
function remember(report, before) {
  const { rate, pointer, ...settings } = report.settings;
  // Those of a page that points come back when it does no more.
  if (!pointer) store("settings", { ...settings, touchedMirror: wanted.touchedMirror });
  if (report.file !== before.file) store(place(), { origin, file: report.file ?? null });
}

function showSettings() {
  const settings = state.settings;
  const range = (id, value, digits) => {
    byId(id).value = value;
    byId(`${id}Value`).textContent = Number(value).toFixed(digits);
  };
  range("confidence", state.beginConfidence, 2);
  range("begin", state.beginFrames, 0);
  range("end", state.endFrames, 0);
  byId("mirrored").checked = settings.isMirrored;
  byId("poses").checked = settings.hasHeldPoses;
  byId("handCount").value = state.maximumHands;
  byId("armsBox").hidden = !state.watchesArms;
  byId("armsChoice").hidden = !camera && !build;
  byId("watchArms").checked = state.watchesArms;
  if (state.watchesArms) byId("armsSize").textContent = "";
  byId("bodies").value = settings.bodies ?? "";
  byId("poses").disabled = hello?.frontEnd !== "landmarks";
  byId("classes").replaceChildren(...state.labels.filter((_, index) => index !== state.nullIndex).map((name) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "checkbox", checked: !settings.deniedClasses.includes(name) });
    input.onchange = () => change({
      deniedClasses: input.checked ? wanted.deniedClasses.filter((other) => other !== name) : [...wanted.deniedClasses, name],
    });
    label.append(input, words(name));
    return label;
  }));
}

function change(part) {
  wanted = { ...wanted, ...part };
  if (wanted.pointer) wanted.pointer = { ...wanted.pointer, isMirrored: wanted.isMirrored };
  const { touchedMirror, ...settings } = wanted;
  tell({ do: "settings", settings });
}

for (const [id, key] of [["confidence", "beginConfidence"], ["begin", "beginFrames"], ["end", "endFrames"]]) {
  byId(id).oninput = () => { byId(`${id}Value`).textContent = byId(id).value; };
  byId(id).onchange = () => change({ [key]: Number(byId(id).value) });
}
byId("mirrored").onchange = () => change({ isMirrored: byId("mirrored").checked, touchedMirror: true });
byId("poses").onchange = () => change({ hasHeldPoses: byId("poses").checked });
byId("handCount").onchange = () => change({ maximumHands: Number(byId("handCount").value) });
byId("armsSize").textContent = ` (loads ${megabytes(bodyBytes)} MB once)`;
byId("watchArms").onchange = async () => {
  const isOn = byId("watchArms").checked;
  try {
    await camera.setArms(isOn);
    store("arms", isOn);
  } catch (error) {
    fail(error.message);
  }
  showVersion();
};
byId("bodies").onchange = () => {
  delete wanted.bodies;
  change(byId("bodies").value ? { bodies: byId("bodies").value } : {});
};
byId("reset").onclick = () => {
  for (const key of ["beginConfidence", "beginFrames", "endFrames"]) delete wanted[key];
  change({ deniedClasses: [] });
};
for (const form of document.forms) form.addEventListener("submit", (event) => event.preventDefault());

// MARK: Pointing

const area = new PlayArea(document.querySelector("main"));
let isPointing = false;
/** Hands at once before the page pointed. */
let handsBefore;

/** Turns the page into an area that hands point at, or back. */
function point(isOn) {
  if (isOn === isPointing) return;
  isPointing = isOn;
  document.body.dataset.mode = isOn ? "point" : "gestures";
  byId("play").hidden = !isOn;
  byId("pointMode").setAttribute("aria-pressed", isOn);
  byId("gestureMode").setAttribute("aria-pressed", !isOn);
  area.show();
  if (isOn) {
    scrollTo(0, 0);
    handsBefore = wanted.maximumHands;
    change({ pointer: { screenAspect: area.aspect }, maximumHands: 2 });
    if (!stream) openCamera();
  } else {
    delete wanted.pointer;
    change({ maximumHands: handsBefore });
    drawTracks();
  }
}
byId("pointMode").onclick = () => point(true);
byId("gestureMode").onclick = () => point(false);
addEventListener("keydown", ({ key }) => { if (key === "Escape") point(false); });

// MARK: Teaching

let isTeaching = false;
let failed = 0;            // the take that was not usable

const kind = () => byId("teach").elements.kind.value;
function showKind() {
  byId("teachHelp").textContent = kind() === "pose"
    ? "Five seconds: hold the pose still, and then once more, turned or moved a little."
    : "Ten seconds: make it three times, each from rest to rest, and then do nothing.";
}
byId("kinds").onchange = showKind;
showKind();

byId("teach").addEventListener("submit", () => {
  if (isTeaching) return tell({ do: "stop" });
  say("");
  byId("verdict").hidden = true;
  tell({ do: "teach", label: byId("label").value.trim(), gesture: kind() });
});

function teaching(report) {
  showTeaching(report.phase !== "stopped");
  const isPose = report.gesture === "pose", isNothing = !isPose && report.take === report.takes;
  byId("takeBar").dataset.nothing = isNothing || isPose;
  byId("takeBar").firstChild.style.width = `${["hand", "ready"].includes(report.phase) ? 0 : report.progress / 10}%`;
  byId("takeDots").replaceChildren(...Array.from({ length: report.takes }, (_, index) => {
    const dot = document.createElement("li");
    dot.dataset.done = index < report.take - 1;
    return dot;
  }));
  const count = `${report.take} of ${isPose ? report.takes : report.takes - 1}`;
  const share = report.progress / 1000;
  const texts = {
    hand: isPose ? `${count}: show the pose` : `${count}: show your hand`,
    ready: isNothing ? "Now rest your hand" : `${count}: ${isPose ? "hold" : "keep"} still`,
    gesture: isPose ? `${count}: hold still` : `${count}: ${share < 0.2 ? "wait" : share < 0.72 ? "now!" : "and rest"}`,
    nothing: "Do nothing for a moment",
    learning: "Learning",
  };
  const text = texts[report.phase];
  if (text && byId("takeText").textContent !== text) byId("takeText").textContent = byId("cue").textContent = text;
  if (report.phase === "again") {
    failed = report.take;
    verdict(`That take is made again. ${report.sentence}`, true);
  } else if (report.phase === "stopped") {
    verdict(report.sentence ?? "Stopped. Nothing was learned.", Boolean(report.sentence));
  } else if (report.take > failed) {
    // What failed has worked by now.
    byId("verdict").hidden = true;
  }
}

function showTeaching(isOn) {
  if (isOn !== isTeaching) failed = 0;
  isTeaching = isOn;
  byId("record").textContent = isOn ? "Stop" : "Record";
  byId("label").readOnly = byId("kinds").disabled = isOn;
  byId("take").hidden = byId("cue").hidden = !isOn;
}

function verdict(text, isBad) {
  const place = byId("verdict");
  place.textContent = text;
  place.dataset.bad = isBad;
  place.hidden = false;
}

function taught(report) {
  showTeaching(false);
  if (report.refusal) return verdict(`${words(report.label)} was not learned. ${report.refusal}`, true);
  verdict(`${words(report.label)} is learned as a ${report.gesture === "pose" ? "held pose" : "movement"}. ${report.warning ?? "Make it now."}`, false);
  byId("label").value = "";
}

function download(name, parts, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

byId("save").onclick = () => {
  download("my-gestures.safetensors", [Uint8Array.from(atob(state.file), (c) => c.charCodeAt(0))], "application/octet-stream");
};
byId("load").onchange = async () => {
  const file = byId("load").files[0];
  byId("load").value = "";
  if (!file) return;
  if (file.size > 1 << 20) return say("A file of gestures has at most a mebibyte.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  say("");
  tell({ do: "load", file: btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), "")) });
};

// MARK: Clips

const clipCounts = new Map();
byId("clip").addEventListener("submit", () => {
  const status = byId("clipStatus");
  if (!stream) { status.textContent = "Use the camera first."; return; }
  const label = byId("clipLabel").value;
  const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 4e6 });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => {
    clipCounts.set(label, (clipCounts.get(label) ?? 0) + 1);
    const name = `${label}-${clipCounts.get(label)}.webm`;
    download(name, parts, "video/webm");
    status.textContent = `${name} is saved.`;
    byId("clipRecord").disabled = false;
  };
  byId("clipRecord").disabled = true;
  status.textContent = `Recording ${label}.`;
  recorder.start();
  setTimeout(() => recorder.stop(), 3000);
});

connect();
