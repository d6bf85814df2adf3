/** A class of the browser, where this version of TypeScript has its type. */
type Known<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Value }> ? Value : never;

/**
 * What a picture may be. Larger ones than 1280 pixels are made smaller first, except `ImageData` and those whose shorter side would
 * be below 16. What is transparent is drawn over black; `ImageData` are taken as if they were opaque.
 */
export type ImageSource =
  | HTMLVideoElement | HTMLCanvasElement | HTMLImageElement | ImageBitmap | ImageData | Known<"OffscreenCanvas"> | Known<"VideoFrame">;

/**
 * - `closed`: the recognizer or the camera is closed.
 * - `no-simd`: the browser has no WebAssembly SIMD.
 * - `files`: a file is missing, ended early or is another one.
 * - `option`: an option has a value that it may not have, or there is none of that name.
 * - `running-mode`: the call is one for images, and the recognizer one for videos, or the other way round.
 * - `no-picture`: a video or an image without pixels, such as one that is still being loaded.
 * - `image`: no picture at all, one with sides outside 16...4096 pixels, or one that another site does not share.
 * - `timestamp`: it is no time, or does not follow the last one.
 * - `refused`: the engine refuses a command, a picture or a file; the sentence says why.
 * - `crashed`: the engine has stopped by a fault of its own, or had no memory. Create another one. `GestureCamera` does so itself,
 *   and says so by `onError`.
 * - `camera-denied`, `camera-missing`, `camera-busy`, `camera-ended`, `camera`: why there is no camera.
 * - `worker`: any other error in the camera's worker.
 */
export type GestureErrorCode =
  | "closed" | "no-simd" | "files" | "option" | "running-mode" | "no-picture" | "image" | "timestamp" | "refused" | "crashed"
  | "camera-denied" | "camera-missing" | "camera-busy" | "camera-ended" | "camera" | "worker";

/**
 * Every failure of this module. Its message is a sentence for people.
 *
 * What a function of the page throws, such as `onGesture`, is none: it goes to the console, and the engine goes on. Such functions
 * are called when the engine is free, so every call may be made in them.
 */
export class GestureError extends Error {
  readonly code: GestureErrorCode;
}

/** The engine's files, each loaded once, for any number of recognizers. */
export interface Fileset {
  /** The address of their folder. */
  readonly base: string;
}

export class FilesetResolver {
  /** Whether the browser has WebAssembly SIMD. */
  static isSimdSupported(): Promise<boolean>;
  /**
   * - base: the folder that has `gesture.wasm` and `weights`; that of `gesture.js` unless it is given. Node takes `file:`
   *   addresses, too.
   * - throws: `no-simd`, `option`.
   */
  static forVisionTasks(base?: string | URL): Promise<Fileset>;
}

export interface ClassifierOptions {
  /** The least score, 0 unless it is given. */
  scoreThreshold?: number;
  /** How many categories a hand has, 1 unless it is given; below 0 all of them. Not 0. */
  maxResults?: number;
  /** The names that may come. Excludes `categoryDenylist`. */
  categoryAllowlist?: string[];
  /** The names that may not come. */
  categoryDenylist?: string[];
}

/** What every task of a picture has. An option that is undefined has its default. */
export interface TaskOptions {
  /** `IMAGE` unless it is given. */
  runningMode?: "IMAGE" | "VIDEO";
  /** 0...1. Accepted, without effect: what is found is followed by its presence alone. */
  minTrackingConfidence?: number;
  /**
   * Accepted without effect: `delegate`, and a `modelAssetPath` that ends in `gesture_recognizer.task`, `hand_landmarker.task` or
   * `pose_landmarker_full.task`, as the task is. Others are refused.
   */
  baseOptions?: { delegate?: "CPU" | "GPU"; modelAssetPath?: string };
}

export interface HandOptions {
  /** Hands that are followed at once, 1...4; 1 unless it is given. */
  numHands?: number;
  /** The least score with which a palm is found, 0.01...0.99; 0.5 unless it is given. */
  minHandDetectionConfidence?: number;
  /** The presence below which a hand is lost, 0.01...0.99; 0.5 unless it is given. */
  minHandPresenceConfidence?: number;
}

export interface HandLandmarkerOptions extends HandOptions, TaskOptions {}

export interface PoseLandmarkerOptions extends TaskOptions {
  /** People who are followed at once, 1...4; 1 unless it is given. */
  numPoses?: number;
  /** The least score with which a person is found, 0.01...0.99; 0.5 unless it is given. */
  minPoseDetectionConfidence?: number;
  /** The presence below which a person is lost, 0.01...0.99; 0.5 unless it is given. */
  minPosePresenceConfidence?: number;
  /** There are no masks. */
  outputSegmentationMasks?: false;
}

/** Options of recognizer and camera. An option that is undefined has its default. */
export interface GestureOptions extends HandOptions, Omit<TaskOptions, "runningMode"> {
  /** Which poses are reported of a hand. */
  cannedGesturesClassifierOptions?: ClassifierOptions;
  /** Frames a second at which moving gestures are looked for: 30 unless it is given. Pictures may come at any rate. */
  rate?: 30 | 60 | 120;
  /** Whether the user sees a mirrored picture, so that swipes are named as the user sees them. */
  mirrored?: boolean;
  /** Whether a fist, a victory sign and I-love-you are gestures with a begin and an end, too. */
  heldPoses?: boolean;
  /** How easily a moving gesture begins: medium unless it is given. */
  sensitivity?: "low" | "medium" | "high";
  /**
   * Whether the arms of the person help to find swipes, which takes the networks of bodies, 6.6 MB: true loads them at once, and false
   * leaves arms alone. Unless it is given, arms are watched once `setBodies` has loaded the networks. `setArms` changes it.
   */
  arms?: boolean;
  /** Whether hands are followed as pointers, or how: `pointers` of each picture. Two hands need `numHands: 2`. False unless it is given. */
  pointer?: boolean | PointerSettings;
}

/** How hands point. Those that are missing have the defaults that are named. */
export interface PointerSettings {
  /**
   * The part of the picture in which the palm moves, in shares of its sides from its top left; it is the whole screen. 0.2, 0.2, 0.6 and
   * 0.6 by default; at least 0.05 wide and high, and within the picture.
   */
  region?: { x?: number; y?: number; width?: number; height?: number };
  /** Left and right are exchanged, as for a camera that faces the user and whose pictures are not mirrored. True by default. */
  isMirrored?: boolean;
  /**
   * The one-euro filter of the position, in screens a second: cutoffs in hertz, 0.0001...1000, and a coefficient of 0...100000. 1, 25 and 1
   * by default.
   */
  smoothing?: { minimumCutoff?: number; speedCoefficient?: number; speedCutoff?: number };
  /** Thumb and index finger press when they are nearer than this, in lengths of the palm, 0.05...1; 0.28 by default. */
  pressGap?: number;
  /** They release when they are further apart than this, `pressGap`...2; 0.45 by default. */
  releaseGap?: number;
  /** A hand that is not seen stays as it was for these milliseconds, 0...2000; 150 by default. */
  lostHandTime?: number;
  /** A press that moves by more than this share of the screen drags, 0...1; 0.02 by default. */
  dragDistance?: number;
  /** Two clicks within these milliseconds are a double click, 0...2000; 500 by default. */
  doubleClickTime?: number;
  /** Width over height of the screen, 0.1...10, for distance and angle of two hands; 16 / 9 by default. */
  screenAspect?: number;
  /** Whether a fist that moves scrolls. True by default. */
  scrolls?: boolean;
}

/** A hand as a pointer in a picture. */
export interface Pointer {
  /** The `id` of the hand; null without one. */
  identity: number | null;
  /** As `side` of a reported hand; null without one. */
  handedness: "left" | "right" | null;
  /** Shares of the screen's width and height from its top left, 0...1. An absent pointer keeps its last position. */
  x: number;
  y: number;
  /** `absent`: there is no hand. `pressed`: thumb and index finger pinch. `dragging`: the pinch has moved by `dragDistance`. */
  state: "absent" | "hovering" | "pressed" | "dragging";
  /** The presence of the hand, 0...1. It falls to 0 while the hand is not seen. */
  confidence: number;
  /** What happened in this picture, in the order of this type. */
  events: ("entered" | "moved" | "dragged" | "pressed" | "released" | "clicked" | "doubleClicked" | "scrolled" | "left")[];
  /** With `released`: the fingers parted, the hand was not seen for `lostHandTime`, or the stream began anew. */
  releaseReason: "opened" | "lost" | "reset" | null;
  /** With `scrolled`: the way of the fist in shares of the screen, to the right and down. Zeros otherwise. */
  scroll: { x: number; y: number };
}

/** Two pointers while both are pressed or dragging, for zooming and turning. */
export interface PointerPair {
  /** From the first to the second pointer, in widths of the screen. */
  distance: number;
  /** The direction from the first to the second pointer in radians, -pi...pi: 0 to the right, pi / 2 down. */
  angle: number;
  /** `distance` over its value when the second hand pressed. */
  zoom: number;
  /** The change of `angle` since then, -pi...pi; above 0 is clockwise. */
  rotation: number;
}

/** What the option `pointer` adds to a picture. */
export interface Pointers {
  /**
   * Two pointers: that of the hand that came first and is still there, and that of another one. Empty without the option, and for
   * pictures that were left out.
   */
  pointers: Pointer[];
  /** Null unless both are pressed or dragging. */
  pointerPair: PointerPair | null;
}

export interface GestureRecognizerOptions extends GestureOptions, TaskOptions {}

/**
 * x and y in shares of the picture from its top left, z in the unit of x, nearer ones below 0. z is 0 at the wrist of a hand, and in the
 * middle of a person's hips. The points of a hand have the visibility 0, because its network gives none.
 */
export interface NormalizedLandmark { x: number; y: number; z: number; visibility: number }
/** x, y and z in metres from the middle of the hand or of the hips. */
export interface Landmark { x: number; y: number; z: number; visibility: number }
export interface Category { categoryName: string; score: number; index: number; displayName: string }

/** A bone: two indexes of points. */
export interface Connection { start: number; end: number }

/** One entry a hand in each list. */
export interface HandLandmarkerResult {
  /** 21 points of each hand. */
  landmarks: NormalizedLandmark[][];
  worldLandmarks: Landmark[][];
  /** `Left` or `Right`, as if the picture were mirrored, with its score of 0.5...1. */
  handedness: Category[][];
  /** @deprecated The same as `handedness`. */
  handednesses: Category[][];
}

export interface GestureRecognizerResult extends HandLandmarkerResult, Partial<Pointers> {
  /**
   * `None`, `Closed_Fist`, `Open_Palm`, `Pointing_Up`, `Thumb_Down`, `Thumb_Up`, `Victory` or `ILoveYou`, the best first. A hand
   * of which the options let none through has `None` with the score 0.
   */
  gestures: Category[][];
}

/** One entry a person in each list, the one who is followed longest first; in an image the largest. */
export interface PoseLandmarkerResult {
  /** 33 points of each person. */
  landmarks: NormalizedLandmark[][];
  worldLandmarks: Landmark[][];
  /** Does nothing: there are no masks to give back. */
  close(): void;
}

/** The begin or the end of a moving gesture. Times are in milliseconds on the clock of the timestamps. */
export interface GestureEvent {
  type: "begin" | "end";
  /** Why it ended. */
  cause?: string;
  label: string;
  /** 0...1. */
  confidence: number;
  /** When it began or ended. */
  onset: number;
  /** The picture that decided it. */
  time: number;
}

export interface Recognition {
  /** The confidence that begins a gesture of any class, at least 0 and below 1. */
  beginConfidence: number;
  /** Frames at the rate that begin it, and that end it: 1...600. */
  beginFrames: number;
  endFrames: number;
  /** Labels that may not begin. */
  deniedClasses: string[];
}

/** How far the teaching of a gesture is. */
export interface TeachingProgress {
  label: string;
  /**
   * `hand`: a take waits for a hand. `ready`: keep still. `gesture`: make it now. `nothing`: do nothing. `again`: the take is
   * made again, and `sentence` says what to do. `learning`. `stopped`.
   */
  phase: "hand" | "ready" | "gesture" | "nothing" | "again" | "learning" | "stopped";
  gesture: "movement" | "pose";
  /** From 1 on. */
  take: number;
  takes: number;
  /** In thousandths of the take. */
  progress: number;
  sentence?: string;
}

export interface Taught {
  label: string;
  /** What was learned. */
  gesture: "movement" | "pose";
  /** What the user should know of the gesture. */
  warning?: string;
  /** How often a minute a movement is made up where hands mean nothing, in thousandths. */
  falseEvents?: number;
}

/** What can be looked for in people: their points alone, or an activity whose movements are counted, too. */
export type BodyActivity = "points" | "squat" | "jumpingJacks" | "punches" | "sideLunge";

/** Points are in shares of the picture from its top left. Arrays of one frame share their memory. */
export interface ReportedHand {
  id: number;
  /** The person's own, if the picture is not mirrored. */
  side: "left" | "right";
  /** 0...1. */
  presence: number;
  /** Such as `Victory`; null without one. */
  pose: string | null;
  /** x, y and z of 21 points, interleaved. */
  points: Float32Array;
  /** The same in metres. */
  worldPoints: Float32Array;
}

export interface ReportedPerson {
  id: number;
  presence: number;
  /** x, y, z, visibility and presence of 33 points, interleaved. */
  points: Float32Array;
  /** x, y and z of the same points in metres. */
  worldPoints: Float32Array;
}

export interface ReportedEvent {
  /** `begin`, or why it ended. */
  event: string;
  label: string;
  /** In thousandths. */
  confidence: number;
  /** In microseconds, as `decision`. */
  onset: number;
  /** The time of the picture that decided it. */
  decision: number;
}

/** What a picture brought. Times are in microseconds, on the clock of the pictures. */
export interface FrameReport extends Pointers {
  kind: "frame";
  time: number;
  /** `encoded`; `surplus`, `skipped: ...` and `dropped: ...` for pictures that were left out; `closed` at the end of a stream. */
  outcome: string;
  /** 0...1 for each label of `SettingsReport`; null before the first. */
  scores: Float32Array | null;
  hands: ReportedHand[];
  /**
   * x, y and visibility of shoulders, elbows and wrists, the left one of each first; `gesturing` is 0 for the left arm and 1 for the
   * right one. Null without a body that fits the hand.
   */
  arms: { points: Float32Array; gesturing: 0 | 1 } | null;
  /** The label of the gesture that lasts. */
  active?: string;
  events: ReportedEvent[];
  /** Faults of the picture, as sentences. */
  quality: string[];
  /** How often pictures are looked at: `full`, `half`, `third` or `sixth`; `limit` says why it is not full. */
  pace: string;
  limit?: string;
  /** What the engine took, and what the picture waited for it, in microseconds. */
  work: number;
  wait: number;
  /** Pictures that came, and those of them that a newer one replaced. */
  received: number;
  superseded: number;
  /** Null unless they are asked for. Phase and repetitions are those of an activity, and advice is what the person should do. */
  bodies: { people: ReportedPerson[]; phase?: string; repetitions?: number; advice: string[] } | null;
}

/** The engine begins. */
export interface HelloReport { kind: "hello"; version: string; frontEnd: string }

/** What is in force now. */
export interface SettingsReport {
  kind: "settings";
  settings: {
    rate: number; isMirrored: boolean; hasHeldPoses: boolean; deniedClasses: string[]; maximumHands?: number; bodies?: BodyActivity;
    pointer?: PointerSettings;
    beginConfidence?: number; beginFrames?: number; endFrames?: number;
  };
  labels: string[];
  /** The place in `labels` of no gesture. */
  nullIndex: number;
  userGestures: string[];
  /** The user's own gestures, in Base64. */
  file?: string;
  beginConfidence: number;
  beginFrames: number;
  endFrames: number;
  maximumHands: number;
  watchesArms: boolean;
  /** The kernels that are used. */
  unit: string;
}

/** What the engine says, the newest state first to `onReport`. */
export type Report =
  | HelloReport | SettingsReport | FrameReport | ({ kind: "teaching" } & TeachingProgress)
  | ({ kind: "taught"; refusal?: string; collidesWith?: string; agreement?: number } & Partial<Taught> & { label: string })
  | { kind: "failure"; sentence: string };

/** Moving gestures, which recognizer and camera have in common. Every method throws or rejects with a `GestureError`. */
declare class GestureStream {
  /** Gets each begin and each end of a moving gesture. */
  onGesture: ((event: GestureEvent) => void) | null;
  /** Gets every report of the engine. A camera adds the picture, if `pictures` is set, and the milliseconds since it came. */
  onReport: ((report: Report, more?: { picture: Known<"VideoFrame"> | null; latency: number }) => void) | null;
  /** The gestures that are looked for, those of the user last. */
  readonly labels: string[];
  /** The labels of those that the user taught. */
  readonly userGestures: string[];
  /** The thresholds in force. */
  readonly recognition: Recognition;
  /** Changes some of the thresholds while it runs. Undefined brings back the model's own. */
  setRecognition(changes: Partial<Recognition>): Promise<void>;
  /** Has the arms help to find swipes, or the hand alone. The first call with true loads the networks of bodies, 6.6 MB. */
  setArms(isOn: boolean): Promise<void>;
  /**
   * Has people looked for in every picture, whom `FrameReport.bodies` reports; null looks for none. The first call loads the networks of
   * bodies, 6.6 MB.
   */
  setBodies(bodies: BodyActivity | null): Promise<void>;
  /**
   * Teaches a gesture from the pictures that come now: a movement that is made three times, or a pose that is held twice.
   * Resolves when it is learned; rejects with `refused` and what to do otherwise, as when the engine begins anew meanwhile.
   * - label: 1 to 64 bytes of UTF-8 without control characters, and no label that there is already.
   */
  teach(label: string, kind?: "movement" | "pose", onProgress?: (progress: TeachingProgress) => void): Promise<Taught>;
  stopTeaching(): Promise<void>;
  forget(label: string): Promise<void>;
  /** The user's own gestures as a file; an error without any. */
  save(): Uint8Array;
  /** Replaces the user's own gestures by those of a file of at most 1 MiB. */
  load(file: Uint8Array | ArrayBuffer): Promise<void>;
  /** Does a command of the page of `gesture-bench serve`: JSON of at most 2 Mi characters. */
  perform(command: object): Promise<void>;
  /** Gives up the engine. Every later call is an error. */
  close(): void;
}

/** An engine in this thread: each call returns when the picture is looked at. */
export class GestureRecognizer extends GestureStream {
  private constructor();
  /** The bones of a hand, as pairs of its points. */
  static readonly HAND_CONNECTIONS: readonly Connection[];
  static createFromOptions(fileset: Fileset, options?: GestureRecognizerOptions): Promise<GestureRecognizer>;
  /** With the files beside `gesture.js`. */
  static createFromOptions(options?: GestureRecognizerOptions): Promise<GestureRecognizer>;
  /**
   * Changes the options that are given. Others than `runningMode`, `cannedGesturesClassifierOptions` and those without effect
   * begin a new stream; gestures and thresholds stay, and a gesture that is being taught is given up. If it rejects, nothing has
   * changed.
   */
  setOptions(options: GestureRecognizerOptions): Promise<void>;
  /** The hands of a single image. Needs the running mode `IMAGE`. */
  recognize(image: ImageSource): GestureRecognizerResult;
  /**
   * The hands of the next picture of a video; moving gestures go to `onGesture` before it returns. Needs the running mode `VIDEO`.
   * - timestamp: milliseconds, 0 or more and at least 0.001 above the last one.
   */
  recognizeForVideo(video: ImageSource, timestamp: number): GestureRecognizerResult;
  /** Ends a gesture that is still active. The next timestamp may be any. */
  finish(): void;
}

/** What hand and pose landmarkers have in common: engines in this thread, each with the networks that it needs alone. */
declare class Landmarker<Options extends TaskOptions> {
  /** Changes the options that are given. Others than `runningMode` and those without effect begin anew. */
  setOptions(options: Options): Promise<void>;
  /** Gives up the engine. Every later call is an error. */
  close(): void;
}

/** Hands without gestures. */
export class HandLandmarker extends Landmarker<HandLandmarkerOptions> {
  private constructor();
  static readonly HAND_CONNECTIONS: readonly Connection[];
  static createFromOptions(fileset: Fileset, options?: HandLandmarkerOptions): Promise<HandLandmarker>;
  static createFromOptions(options?: HandLandmarkerOptions): Promise<HandLandmarker>;
  /** The hands of a single image. Needs the running mode `IMAGE`. */
  detect(image: ImageSource): HandLandmarkerResult;
  /** The hands of the next picture of a video. Needs the running mode `VIDEO`. - timestamp: milliseconds, above the last one. */
  detectForVideo(video: ImageSource, timestamp: number): HandLandmarkerResult;
}

/** People. */
export class PoseLandmarker extends Landmarker<PoseLandmarkerOptions> {
  private constructor();
  static readonly POSE_CONNECTIONS: readonly Connection[];
  static createFromOptions(fileset: Fileset, options?: PoseLandmarkerOptions): Promise<PoseLandmarker>;
  static createFromOptions(options?: PoseLandmarkerOptions): Promise<PoseLandmarker>;
  /** The people of a single image, also by a function that is called before it returns. Needs the running mode `IMAGE`. */
  detect(image: ImageSource, callback?: (result: PoseLandmarkerResult) => void): PoseLandmarkerResult;
  /** Those of the next picture of a video, smoothed. Needs the running mode `VIDEO`. - timestamp: milliseconds, above the last one. */
  detectForVideo(
    video: ImageSource, timestamp: number, callback?: (result: PoseLandmarkerResult) => void,
  ): PoseLandmarkerResult;
}

/** What a style may depend on: the point `from` with its index, or the bone from `from` to `to`. */
export interface DrawingData { index: number; from: NormalizedLandmark; to?: NormalizedLandmark }
export interface DrawingOptions {
  /** Of lines and the rims of points; white unless it is given. */
  color?: string | CanvasGradient | CanvasPattern | ((data: DrawingData) => string | CanvasGradient | CanvasPattern);
  /** Of the insides of points; `color` unless it is given. */
  fillColor?: DrawingOptions["color"];
  /** In pixels, 4 unless it is given. */
  lineWidth?: number | ((data: DrawingData) => number);
  /** Of points, in pixels; 6 unless it is given. */
  radius?: number | ((data: DrawingData) => number);
}

/** Draws points and bones over a canvas. */
export class DrawingUtils {
  constructor(context: CanvasRenderingContext2D | Known<"OffscreenCanvasRenderingContext2D">);
  /** The value at x between y0 at x0 and y1 at x1, never beyond them: a style by depth, for instance. */
  static lerp(x: number, x0: number, x1: number, y0: number, y1: number): number;
  static clamp(value: number, one: number, other: number): number;
  drawLandmarks(landmarks?: NormalizedLandmark[], style?: DrawingOptions): void;
  drawConnectors(landmarks?: NormalizedLandmark[], connections?: readonly Connection[], style?: DrawingOptions): void;
  close(): void;
}

export interface GestureCameraOptions extends GestureOptions {
  /**
   * The address of a module of this page's origin that imports `gesture-worker.js`. A page of another origin than `gesture.js` needs it
   * where its policy allows no worker of a blob.
   */
  worker?: string | URL;
  /** As for `FilesetResolver.forVisionTasks`. */
  base?: string | URL | Fileset;
  onGesture?: GestureCamera["onGesture"];
  onReport?: GestureCamera["onReport"];
  onResult?: GestureCamera["onResult"];
  onError?: GestureCamera["onError"];
  onLoading?: GestureCamera["onLoading"];
  onEnd?: GestureCamera["onEnd"];
  /** Whether `onReport` also gets each picture; it is closed after the call. */
  pictures?: boolean;
}

/**
 * An engine in a worker, which watches a camera. The newest picture goes first: one is looked at, one waits, and a newer one
 * replaces that. While the page is hidden, nothing is looked at.
 */
export class GestureCamera extends GestureStream {
  private constructor();
  /** Loads the engine. Rejects with `files` if its worker cannot be started or says nothing for 20 seconds. */
  static create(options?: GestureCameraOptions): Promise<GestureCamera>;
  /** Gets the hands of each picture. `create` must know it. */
  onResult: ((result: GestureRecognizerResult & { timestamp: number }) => void) | null;
  /** Gets what fails while it runs and has no promise that rejects; without it, the console does. */
  onError: ((error: GestureError) => void) | null;
  /** Gets the bytes that each step of loading brought. */
  onLoading: ((bytes: number) => void) | null;
  /** The camera that was watched has gone. */
  onEnd: ((error: GestureError) => void) | null;
  /**
   * Pictures that came; those of them that a newer one replaced before the engine was free; and those that the engine itself left
   * out, such as ones that come faster than the rate.
   */
  readonly counts: { received: number; superseded: number; skipped: number };
  /** Asks the user for a camera and watches it. `stop` and `close` turn it off. */
  start(constraints?: MediaTrackConstraints): Promise<MediaStream>;
  /** Watches a track, a stream or a playing video of yours instead. */
  watch(source: MediaStreamTrack | MediaStream | HTMLVideoElement): Promise<void>;
  /** Watches nothing any more. */
  stop(): void;
  /** Ends a gesture that is still active. */
  finish(): Promise<void>;
}
