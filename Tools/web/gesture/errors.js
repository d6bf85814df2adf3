/** The errors of every call, and what keeps those of a page's own functions away from the engine. */

/** What went wrong, as a sentence; `code` names it for programs. */
export class GestureError extends Error {
  constructor(code, sentence, options) {
    // What a browser says of its own errors may have no full stop.
    super(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, options);
    this.name = "GestureError";
    this.code = code;
  }
}

export const closed = () => new GestureError("closed", "This recognizer is closed. Create another one.");

/** What an error says of itself; some of the browser's own have a name alone. */
export const reason = (error) => error?.message || error?.name || String(error);

/** A value in a sentence. */
export function shown(value) {
  let text;
  try {
    text = String(typeof value === "object" ? JSON.stringify(value) : value);
  } catch {
    // An object in a circle, or one that cannot be written.
    text = "another object";
  }
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** Calls a function of the page. What it throws goes to the console, as from a listener of the browser's events. */
export function call(action) {
  try {
    action();
  } catch (error) {
    if (typeof reportError === "function") reportError(error); else queueMicrotask(() => { throw error; });
  }
}
