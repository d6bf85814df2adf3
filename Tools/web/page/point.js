"use strict";

/** What hands do with the play area of the page: they press, drag, scroll, draw, and zoom and turn a picture. */
class PlayArea {
  static #zooms = [0.4, 4];
  #area;
  #cursors;
  #list;
  #image;
  #canvas;
  #card;
  /** Of each hand: the element that it holds, the one that it is over, and where it was. */
  #hands = [0, 1].map(() => ({ held: null, under: null, at: [0, 0] }));
  #view = { zoom: 1, turn: 0 };
  /** The view when both hands pressed. */
  #grabbed = null;
  /** How far the card was dragged, in pixels. */
  #dragged = [0, 0];

  /** - area: the whole of it is the screen of the pointers. */
  constructor(area) {
    const one = (selector) => area.querySelector(selector);
    this.#area = area;
    this.#cursors = [...area.querySelectorAll(".cursor")];
    [this.#list, this.#image, this.#canvas, this.#card] = ["#lines ol", "#view svg", "#air canvas", "#drag"].map(one);
    this.#list.append(...Array.from({ length: 40 }, (_, index) => {
      return Object.assign(document.createElement("li"), { textContent: `${index + 1} times ${index + 1} is ${(index + 1) ** 2}` });
    }));
    addEventListener("resize", () => this.#place([0, 0]));
    for (const button of one("#presses").querySelectorAll("button")) {
      button.onclick = () => { button.lastChild.textContent = Number(button.lastChild.textContent) + 1; };
    }
  }

  /** Width over height. */
  get aspect() {
    const { width, height } = this.#area.getBoundingClientRect();
    return Math.min(10, Math.max(0.1, width / height));
  }

  /** Takes the pointers of a picture in; none lets everything go. */
  show({ pointers = [], pointerPair = null } = {}) {
    const { left, top, width, height } = this.#area.getBoundingClientRect();
    this.#turn(pointerPair);
    for (const [index, hand] of this.#hands.entries()) {
      const { state, confidence, x, y, events, releaseReason, scroll } = pointers[index] ?? { state: "absent", events: ["released"] };
      const cursor = this.#cursors[index], at = [x * width, y * height];
      cursor.hidden = state === "absent";
      cursor.dataset.state = state;
      cursor.style.opacity = 0.4 + 0.6 * confidence;
      cursor.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
      const under = cursor.hidden ? null : document.elementFromPoint(left + at[0], top + at[1])?.closest("main button, #air canvas, #drag");
      for (const event of events) {
        if (event === "pressed") this.#press(hand, under, at, index);
        if (event === "dragged" && !pointerPair) this.#drag(hand, at, index);
        if (event === "released") {
          // As with a mouse: what is released where it was pressed was clicked.
          const isClick = releaseReason === "opened" && (events.includes("clicked") || under === hand.held);
          if (hand.held?.matches("button") && isClick) hand.held.click();
          hand.held = null;
        }
        if (event === "doubleClicked" && under === this.#canvas) this.#canvas.width = 0;
        if (event === "scrolled") this.#list.scrollTop -= scroll.y * height;
      }
      hand.at = at;
      hand.under = under;
    }
    this.#light();
  }

  /** Marks what hands are over, and what they hold. */
  #light() {
    for (const element of this.#area.querySelectorAll("button, #drag, #air canvas")) {
      element.dataset.over = this.#hands.some(({ under }) => under === element);
      element.dataset.held = this.#hands.some(({ held }) => held === element);
    }
  }

  #press(hand, element, at, index) {
    Object.assign(hand, { held: element, at });
    // A dot.
    if (element === this.#canvas) this.#draw(at, at, index);
  }

  #drag({ held, at: before }, at, index) {
    if (held === this.#canvas) this.#draw(before, at, index);
    if (held !== this.#card) return;
    const area = this.#area.getBoundingClientRect(), card = held.getBoundingClientRect();
    const rooms = [[area.left - card.left, area.right - card.right], [area.top - card.top, area.bottom - card.bottom]];
    this.#place(this.#dragged.map((way, axis) => {
      const [least, most] = rooms[axis];
      return way + Math.min(most, Math.max(least, at[axis] - before[axis]));
    }));
  }

  /** Puts the card so far from its shelf. */
  #place(way) {
    this.#dragged = way;
    this.#card.style.transform = `translate(${way[0]}px, ${way[1]}px)`;
  }

  /** Draws a line between two places of the area. */
  #draw(from, to, index) {
    const canvas = this.#canvas, ratio = devicePixelRatio, pen = canvas.getContext("2d");
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const area = this.#area.getBoundingClientRect(), place = canvas.getBoundingClientRect();
    pen.setTransform(ratio, 0, 0, ratio, (area.left - place.left) * ratio, (area.top - place.top) * ratio);
    Object.assign(pen, { lineWidth: 5, lineCap: "round", strokeStyle: getComputedStyle(this.#cursors[index]).borderColor });
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
  }

  #turn(pair) {
    this.#grabbed = pair ? this.#grabbed ?? this.#view : null;
    if (!pair) return;
    const { zoom, turn } = this.#grabbed, [least, most] = PlayArea.#zooms;
    this.#view = { zoom: Math.min(most, Math.max(least, zoom * pair.zoom)), turn: turn + pair.rotation };
    this.#image.style.transform = `rotate(${this.#view.turn}rad) scale(${this.#view.zoom})`;
  }
}
