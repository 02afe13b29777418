/**
 * Browser functions that the frames of the vault need, captured once per page.
 *
 * A later script can replace any function of the page. So none of these is looked up at the time of use, and no
 * iterator, dictionary or promise of the page is used. Each widget has its own copy of this module: the first one
 * stores the functions in a read-only property of the window for the others.
 */

/** Turns a method into a function whose first argument is `this`. */
const uncurried = <This, Args extends unknown[], Result>(method: (this: This, ...args: Args) => Result) =>
  Function.prototype.call.bind(method as never) as unknown as (self: This, ...args: Args) => Result;

interface PortFunctions {
  postTo(port: MessagePort, message: unknown, transfer: Iterable<unknown>): void;
  startPort(port: MessagePort): void;
  closePort(port: MessagePort): void;
  firstPort(channel: MessageChannel): MessagePort;
  secondPort(channel: MessageChannel): MessagePort;
  addListener(target: EventTarget, type: string, listener: (event: Event) => void): void;
  dataOf(event: MessageEvent): unknown;
  apply: typeof Reflect.apply;
  Channel: typeof MessageChannel;
  iterator: typeof Symbol.iterator;
}

interface FrameFunctions {
  createElement(document: Document, name: string): HTMLElement;
  setAttribute(element: Element, name: string, value: string): void;
  setStyle(element: HTMLElement, name: string, value: string): void;
  attachShadow(host: Element, options: ShadowRootInit): ShadowRoot;
  appendChild(parent: Node, child: Node): Node;
  isConnected(node: Node): boolean;
  bodyOf(document: Document): HTMLElement;
  setSource(frame: HTMLIFrameElement, html: string): void;
  sourceOf(frame: HTMLIFrameElement): string;
  windowOf(frame: HTMLIFrameElement): Window | null;
  dispatch(target: EventTarget, event: Event): boolean;
  /** Marks text as HTML that no trusted-types policy of the page rewrites. */
  html(text: string): string;
}

export interface Captured extends PortFunctions, FrameFunctions {
  /** Names of functions that the page had already replaced. */
  readonly replaced: readonly string[];
}

/** Includes a version: a page may show widgets of several versions. Change it with the set of functions. */
const NAME = "hook_widgets.captured.1";

/** Source text of a native function; wrappers, bound functions and proxies have another one. */
const NATIVE = /^function (?:get |set )?([\w$]+)\(\) \{\s*\[native code\]\s*\}$/;

function capture(): Captured {
  const inPage = typeof document !== "undefined";
  const textOf = Function.prototype.toString;
  const replaced: string[] = [];
  const check = <F>(name: string, value: F): F => {
    if (inPage && NATIVE.exec(textOf.call(value as never))?.[1] !== name) replaced.push(name);
    return value;
  };
  const method = <T extends object, K extends keyof T & string>(owner: T, name: K) =>
    uncurried(check(name, owner[name]) as (this: unknown, ...args: never[]) => unknown) as never;
  const accessor = <T extends object>(owner: T, name: keyof T & string, kind: "get" | "set") =>
    uncurried(check(name, Object.getOwnPropertyDescriptor(owner, name)?.[kind] as () => unknown)) as never;

  check("toString", textOf);
  const ports: PortFunctions = {
    postTo: method(MessagePort.prototype, "postMessage"),
    startPort: method(MessagePort.prototype, "start"),
    closePort: method(MessagePort.prototype, "close"),
    firstPort: accessor(MessageChannel.prototype, "port1", "get"),
    secondPort: accessor(MessageChannel.prototype, "port2", "get"),
    addListener: method(EventTarget.prototype, "addEventListener"),
    dataOf: accessor(MessageEvent.prototype, "data", "get"),
    apply: check("apply", Reflect.apply),
    Channel: check("MessageChannel", MessageChannel),
    iterator: Symbol.iterator,
  };
  if (!inPage) return { ...ports, replaced } as unknown as Captured; // the front end's tests have no frames
  const styleOf: (element: HTMLElement) => CSSStyleDeclaration = accessor(
    HTMLElement.prototype,
    "style",
    "get",
  );
  const setProperty: (style: CSSStyleDeclaration, name: string, value: string) => void = method(
    CSSStyleDeclaration.prototype,
    "setProperty",
  );
  const frames: FrameFunctions = {
    createElement: method(Document.prototype, "createElement"),
    setAttribute: method(Element.prototype, "setAttribute"),
    setStyle: (element, name, value) => setProperty(styleOf(element), name, value),
    attachShadow: method(Element.prototype, "attachShadow"),
    appendChild: method(Node.prototype, "appendChild"),
    isConnected: accessor(Node.prototype, "isConnected", "get"),
    bodyOf: accessor(Document.prototype, "body", "get"),
    setSource: accessor(HTMLIFrameElement.prototype, "srcdoc", "set"),
    sourceOf: accessor(HTMLIFrameElement.prototype, "srcdoc", "get"),
    windowOf: accessor(HTMLIFrameElement.prototype, "contentWindow", "get"),
    dispatch: method(EventTarget.prototype, "dispatchEvent"),
    html: trusting(method),
  };
  return { ...ports, ...frames, replaced };
}

/** Creates trusted HTML by our own trusted-types policy, if the browser has policies and the page allows one. */
function trusting(method: (owner: never, name: never) => never): (text: string) => string {
  const { trustedTypes: factory } = window as { trustedTypes?: object };
  if (!factory) return (text) => text;
  const createPolicy: (factory: object, name: string, rules: object) => object = method(
    Object.getPrototypeOf(factory) as never,
    "createPolicy" as never,
  );
  try {
    const policy = createPolicy(factory, "hook-widgets", { createHTML: (text: string) => text });
    const createHtml: (policy: object, text: string) => string = method(
      Object.getPrototypeOf(policy) as never,
      "createHTML" as never,
    );
    return (text) => createHtml(policy, text);
  } catch {
    return (text) => text; // the page allows no policy of ours
  }
}

/** Returns the functions that the first widget of this page captured. */
function ofThisPage(): Captured {
  if (typeof window === "undefined") return capture();
  const page = window as unknown as Record<string, Captured | undefined>;
  if (!page[NAME]) {
    const value = Object.freeze({ __proto__: null, ...capture() }) as unknown as Captured;
    Object.freeze(value.replaced);
    Object.defineProperty(window, NAME, { value }); // neither writable nor configurable
  }
  return page[NAME] as Captured;
}

export const captured = ofThisPage();
const { postTo, startPort, closePort, firstPort, secondPort, addListener, dataOf, apply, Channel, iterator } =
  captured;

/** Builds a transfer list without the page's `Array.prototype`. */
function transferList(...ports: (MessagePort | undefined)[]): Iterable<unknown> {
  const list = { __proto__: null, 0: ports[0], 1: ports[1] } as unknown as Record<
    number,
    MessagePort | undefined
  >;
  let at = 0;
  const end = { __proto__: null, value: undefined, done: true };
  const next = () => {
    const value = list[at];
    at += 1;
    return value === undefined ? end : { __proto__: null, value, done: false };
  };
  return { __proto__: null, [iterator]: () => ({ __proto__: null, next }) } as unknown as Iterable<unknown>;
}

export interface Port {
  post(message: unknown, first?: MessagePort, second?: MessagePort): void;
  close(): void;
}

/** Listens on a port. */
export function open(port: MessagePort, onMessage: (data: unknown) => void): Port {
  addListener(port, "message", (event) => onMessage(dataOf(event as MessageEvent)));
  startPort(port);
  return {
    post: (message, first, second) => postTo(port, message, transferList(first, second)),
    close: () => closePort(port),
  };
}

export function channel(): { near: MessagePort; far: MessagePort } {
  const pair = new Channel();
  return { near: firstPort(pair), far: secondPort(pair) };
}

/** Sends the first message to a frame, with its ports. */
export function sendHello(
  frame: HTMLIFrameElement,
  message: unknown,
  first: MessagePort,
  second?: MessagePort,
): void {
  const window = captured.windowOf(frame);
  if (window) apply(window.postMessage, window, [message, "*", transferList(first, second)]);
}
