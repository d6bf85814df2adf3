/** Points and bones on a canvas, with the names of MediaPipe's. */

const clamp = (value, one, other) => Math.min(Math.max(value, Math.min(one, other)), Math.max(one, other));

/** A value of a style, which may be a function of the point or the bone that is drawn. */
const resolved = (value, data) => typeof value === "function" ? value(data) : value;

export class DrawingUtils {
  #pen;

  constructor(pen) { this.#pen = pen; }

  static clamp(value, one, other) { return clamp(value, one, other); }

  static lerp(x, x0, x1, y0, y1) { return clamp(y0 + (y1 - y0) * (x - x0) / (x1 - x0), y0, y1); }

  drawLandmarks(landmarks = [], style = {}) {
    const { color = "white", fillColor = color, lineWidth = 4, radius = 6 } = style, pen = this.#pen;
    pen.save();
    landmarks.forEach((from, index) => {
      const of = (value) => resolved(value, { index, from }), { width, height } = pen.canvas;
      Object.assign(pen, { fillStyle: of(fillColor), strokeStyle: of(color), lineWidth: of(lineWidth) });
      pen.beginPath();
      pen.arc(from.x * width, from.y * height, of(radius), 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    });
    pen.restore();
  }

  drawConnectors(landmarks = [], connections = [], style = {}) {
    const { color = "white", lineWidth = 4 } = style, pen = this.#pen;
    pen.save();
    connections.forEach(({ start, end }, index) => {
      const from = landmarks[start], to = landmarks[end], { width, height } = pen.canvas;
      if (!from || !to) return;
      const of = (value) => resolved(value, { index, from, to });
      Object.assign(pen, { strokeStyle: of(color), lineWidth: of(lineWidth) });
      pen.beginPath();
      pen.moveTo(from.x * width, from.y * height);
      pen.lineTo(to.x * width, to.y * height);
      pen.stroke();
    });
    pen.restore();
  }

  close() {}
}
