/**
 * Frames of the vault: sandboxed documents that run only our program, out of reach of the page's scripts.
 *
 * A frame is in a closed shadow root, so no script of the page can reach it, its window or its document. The kernel
 * sends the program; the browser checks it against the hash in the policy, a constant of this bundle.
 */
import { captured, sendHello } from "./captured.js";
import type { Hello } from "./protocol.js";

/** HTML before the program, inserted by the build. The program is not checked while `npm run watch` builds. */
declare const VAULT_HEAD: string;
const HEAD =
  typeof VAULT_HEAD === "undefined"
    ? `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"><body><script>`
    : VAULT_HEAD;
const TAIL = "vault.boot();</script></body></html>";

export interface VaultFrame {
  /** Element that contains the frame; the page can see it. */
  readonly host: HTMLElement;
  /** False if the frame's document is not the one that was set. */
  readonly genuine: boolean;
  isConnected(): boolean;
  /** Sends the only message that the program accepts from this window. */
  sendHello(hello: Hello, first: MessagePort, second?: MessagePort): void;
  /** Calls the listener each time the frame has loaded its document. */
  onLoad(listener: () => void): void;
}

/**
 * True if the text does not end its script element. Compares letter by letter, because the page may have replaced
 * any method.
 */
function staysInside(program: string): boolean {
  for (let at = 0; at < program.length; at += 1)
    if (
      program[at] === "<" &&
      (program[at + 1] === "/" || (program[at + 1] === "!" && program[at + 2] === "-"))
    )
      return false;
  return true;
}

/**
 * Creates a frame that runs the program, in an element that is not in the page yet.
 *
 * @throws {Error} if the program is not a string, or would end its script element.
 */
export function createFrame(program: string, title: string): VaultFrame {
  const { createElement, setAttribute, setStyle, appendChild, setSource, sourceOf } = captured;
  if (typeof program !== "string" || !staysInside(program)) throw new Error("vault.js is damaged");
  const host = createElement(window.document, "div");
  const frame = createElement(window.document, "iframe") as HTMLIFrameElement;
  setAttribute(frame, "sandbox", "allow-scripts");
  setAttribute(frame, "allow", "clipboard-write");
  setAttribute(frame, "title", title);
  setStyle(frame, "display", "block");
  setStyle(frame, "width", "100%");
  setStyle(frame, "height", "100%");
  setStyle(frame, "border", "0");
  const html = HEAD + program + TAIL;
  setSource(frame, captured.html(html));
  // No prototype: a script may have added members to `Object.prototype`, such as `clonable`.
  const root = captured.attachShadow(host, { __proto__: null, mode: "closed" } as ShadowRootInit);
  appendChild(root, frame);
  return {
    host,
    genuine: sourceOf(frame) === html,
    isConnected: () => captured.isConnected(frame),
    sendHello: (hello, first, second) => sendHello(frame, hello, first, second),
    onLoad: (listener) => captured.addListener(frame, "load", listener),
  };
}
