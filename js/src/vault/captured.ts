/**
 * Frame and port operations by primitives captured before any later script could replace them.
 *
 * A script that is in the page when a secret is typed could wrap `postMessage` and keep the ports that pass through it.
 * So no method of a port, frame or event is looked up when it is used, and no iterator of the page is asked.
 */
const uncurried = <This, Args extends unknown[], Result>(method: (this: This, ...args: Args) => Result) =>
  Function.prototype.call.bind(method as never) as unknown as (self: This, ...args: Args) => Result;

const getter = <T extends object, K extends keyof T>(owner: T, name: K) =>
  uncurried(Object.getOwnPropertyDescriptor(owner, name)?.get as (this: T) => T[K]);

const { apply } = Reflect;
const ITERATOR = Symbol.iterator;
const postTo = uncurried(
  MessagePort.prototype.postMessage as (message: unknown, transfer: Iterable<unknown>) => void,
);
const startPort = uncurried(MessagePort.prototype.start);
const closePort = uncurried(MessagePort.prototype.close);
const addListener = uncurried(EventTarget.prototype.addEventListener);
const dataOf = getter(MessageEvent.prototype, "data");
const firstPort = getter(MessageChannel.prototype, "port1");
const secondPort = getter(MessageChannel.prototype, "port2");
const Channel = MessageChannel;

/** A transfer list that asks no prototype of the page. */
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
  return { __proto__: null, [ITERATOR]: () => ({ __proto__: null, next }) } as unknown as Iterable<unknown>;
}

export interface Port {
  post(message: unknown, first?: MessagePort, second?: MessagePort): void;
  close(): void;
}

/** Listen at a port. */
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

/** Send the first message to a frame, with its ports. */
export function greet(
  frame: HTMLIFrameElement,
  message: unknown,
  first: MessagePort,
  second?: MessagePort,
): void {
  const window = windowOf(frame);
  if (window) apply(window.postMessage, window, [message, "*", transferList(first, second)]);
}

// There is no document where the front end's tests run.
const windowOf: (frame: HTMLIFrameElement) => Window | null = globalThis.HTMLIFrameElement
  ? getter(HTMLIFrameElement.prototype, "contentWindow")
  : () => null;
