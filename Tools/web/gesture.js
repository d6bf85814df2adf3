/**
 * Hands, people and gestures in a browser, without a server: an ES module that needs the folder `gesture`, gesture-worker.js, gesture.wasm
 * and the folder `weights` beside it. Types and descriptions of every call are in gesture.d.ts.
 */

export { GestureError } from "./gesture/errors.js";
export { FilesetResolver } from "./gesture/files.js";
export { GestureRecognizer } from "./gesture/recognizer.js";
export { GestureCamera } from "./gesture/camera.js";
export { HandLandmarker, PoseLandmarker } from "./gesture/landmarkers.js";
export { DrawingUtils } from "./gesture/drawing.js";
