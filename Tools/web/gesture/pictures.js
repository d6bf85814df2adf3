/** The pixels of everything that shows a picture, as the engine takes them. */

import { GestureError, reason } from "./errors.js";

/** Of a picture's header. `bt709` is added to those with chroma, whose matrix else is that of BT.601. */
const formats = { rgba: 1, i420: 2, i420Video: 3, nv12: 4, nv12Video: 5, bgra: 6 }, bt709 = 16;
const sides = { least: 16, most: 4096 };
/** The longest side of a picture that is drawn for the engine, unless the other one would be too short. */
const drawnSide = 1280;

let drawing = null;

/** The sides of a source as it is shown; an error for one that has no picture. */
function shownSides(source) {
  const is = (name) => typeof globalThis[name] === "function" && source instanceof globalThis[name];
  if (is("HTMLVideoElement")) {
    if (source.readyState < 2 || !source.videoWidth) {
      throw new GestureError("no-picture", "The video has no picture yet. Wait for its event loadeddata.");
    }
    return [source.videoWidth, source.videoHeight];
  }
  if (is("HTMLImageElement")) {
    if (!source.complete || !source.naturalWidth) {
      throw new GestureError("no-picture", "The image is not loaded. Wait for its decode().");
    }
    return [source.naturalWidth, source.naturalHeight];
  }
  if (is("VideoFrame")) {
    if (source.format === null && !source.codedWidth) throw new GestureError("no-picture", "The VideoFrame is closed.");
    return [source.displayWidth, source.displayHeight];
  }
  if (is("HTMLCanvasElement") || is("OffscreenCanvas") || is("ImageBitmap")) {
    if (!source.width || !source.height) throw new GestureError("no-picture", "The picture has no pixels, or is closed.");
    return [source.width, source.height];
  }
  throw new GestureError("image", "A picture is a video, image or canvas element, or an OffscreenCanvas, ImageBitmap, "
    + "ImageData or VideoFrame.");
}

function checkSides(width, height) {
  const isGood = (side) => Number.isInteger(side) && side >= sides.least && side <= sides.most;
  if (isGood(width) && isGood(height)) return;
  throw new GestureError(
    "image", `The picture has ${width}x${height} pixels; its sides must be from ${sides.least} to ${sides.most}.`);
}

/** The pixels of a source, at once. What is transparent lies over black. */
export function pixels(source) {
  const data = source?.data;
  if (data && typeof source.width === "number") {
    checkSides(source.width, source.height);
    if (!(data instanceof Uint8ClampedArray || data instanceof Uint8Array) || data.length !== 4 * source.width * source.height) {
      throw new GestureError("image", "The data of an ImageData are four bytes a pixel.");
    }
    return { format: formats.rgba, width: source.width, height: source.height, bytes: data };
  }
  const full = shownSides(source);
  const scale = Math.min(1, Math.max(drawnSide / Math.max(...full), sides.least / Math.min(...full)));
  const [width, height] = full.map((side) => Math.round(side * scale));
  checkSides(width, height);
  if (!drawing || drawing.width !== width || drawing.height !== height) drawing = new OffscreenCanvas(width, height);
  try {
    const pen = drawing.getContext("2d", { alpha: false, willReadFrequently: true });
    // Nothing of the picture before may show through this one.
    pen.globalCompositeOperation = "copy";
    pen.drawImage(source, 0, 0, width, height);
    return { format: formats.rgba, width, height, bytes: pen.getImageData(0, 0, width, height).data };
  } catch (error) {
    // A canvas that has once held an image of another site stays unreadable.
    drawing = null;
    throw new GestureError("image", error.name === "SecurityError"
      ? "The picture comes from another site, which has to allow its use (CORS)."
      : `The picture cannot be drawn: ${reason(error)}`, { cause: error });
  }
}

/** What the engine calls the format of a VideoFrame; nothing for one that has to be drawn. */
function storedFormat({ format, colorSpace }) {
  const packed = { RGBA: formats.rgba, RGBX: formats.rgba, BGRA: formats.bgra, BGRX: formats.bgra }[format];
  if (packed) return packed;
  const isFull = colorSpace?.fullRange === true, matrix = colorSpace?.matrix ?? "smpte170m";
  const planar = {
    I420: isFull ? formats.i420 : formats.i420Video, NV12: isFull ? formats.nv12 : formats.nv12Video,
  }[format];
  // The first two are two names of BT.601.
  const extra = { smpte170m: 0, bt470bg: 0, bt709 }[matrix];
  return planar && extra !== undefined ? planar + extra : undefined;
}

/** The pixels of a VideoFrame as they are stored, if the engine reads that, or drawn. */
export async function storedPixels(frame) {
  const format = storedFormat(frame);
  const { width, height } = frame.visibleRect ?? {};
  const isAsShown = width === frame.displayWidth && height === frame.displayHeight && !frame.rotation && !frame.flip;
  if (!format || !isAsShown) return pixels(frame);
  checkSides(width, height);
  const halfWidth = (width + 1) >> 1, halfHeight = (height + 1) >> 1, luma = width * height;
  const planes = {
    I420: [[luma, width], [halfWidth * halfHeight, halfWidth], [halfWidth * halfHeight, halfWidth]],
    NV12: [[luma, width], [2 * halfWidth * halfHeight, 2 * halfWidth]],
  }[frame.format] ?? [[4 * luma, 4 * width]];
  let count = 0;
  const layout = planes.map(([size, stride]) => {
    const plane = { offset: count, stride };
    count += size;
    return plane;
  });
  const bytes = new Uint8Array(count);
  try {
    await frame.copyTo(bytes, { layout });
  } catch {
    // Some frames cannot be copied, such as those of protected memory or with an odd corner.
    return pixels(frame);
  }
  return { format, width, height, bytes };
}
