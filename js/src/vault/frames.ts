/**
 * The frames of the vault: sandboxed documents that run our program and nothing else, out of reach of the page's scripts.
 *
 * A frame stands in a closed shadow root, so a script has no way to name it, its window or its document. The program comes
 * from the kernel; the browser checks it against the hash in the policy, which is a constant of this bundle.
 */
import { captured, greet } from "./captured.js";
import type { Hello } from "./protocol.js";

/** The document up to its program; put in by the build. While `npm run watch` builds, the program is not checked. */
declare const VAULT_HEAD: string;
const HEAD =
  typeof VAULT_HEAD === "undefined"
    ? `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"><body><script>`
    : VAULT_HEAD;
const TAIL = "vault.boot();</script></body></html>";

export interface VaultFrame {
  /** The element that holds the frame; the page can see it. */
  readonly host: HTMLElement;
  /** False if the document of the frame is not the one that was asked for. */
  readonly genuine: boolean;
  isConnected(): boolean;
  /** Send the only message that the program takes from this window. */
  greet(hello: Hello, first: MessagePort, second?: MessagePort): void;
  /** Call back each time the frame has loaded its document. */
  onLoad(listener: () => void): void;
}

/** True if the text stays inside its script element; read letter by letter, as any method may be replaced. */
function staysInside(program: string): boolean {
  for (let at = 0; at < program.length; at += 1)
    if (program[at] === "<" && (program[at + 1] === "/" || program[at + 1] === "!")) return false;
  return true;
}

/**
 * Create a frame that runs the program, in an element that is not in the page yet.
 *
 * @throws {Error} if the program is not a text, or would end its script element.
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
  // A dictionary without a prototype: a script may have given others more members, such as `clonable`.
  const root = captured.attachShadow(host, { __proto__: null, mode: "closed" } as ShadowRootInit);
  appendChild(root, frame);
  return {
    host,
    genuine: sourceOf(frame) === html,
    isConnected: () => captured.isConnected(frame),
    greet: (hello, first, second) => greet(frame, hello, first, second),
    onLoad: (listener) => captured.addListener(frame, "load", listener),
  };
}
