/**
 * Page side of the vault: creates its frames, connects them, and sends requests to the keeper.
 *
 * Ports and documents never travel through a promise: a later script can replace `then` and read its value. So
 * promises only signal that something has happened, and the keeper is stored in a closure.
 *
 * If the page's policy blocks the frame's script, or a script replaced browser functions before this module was
 * loaded, the user decides, and no secret can be typed before.
 */
import type { Chunks } from "../core/chunks.js";
import { type Computed, signal } from "../core/signals.js";
import type * as Curves from "../crypto/key-pairs.js";
import { captured, channel, open, type Port } from "./captured.js";
import type { Facts } from "./facts.js";
import type * as Program from "./frame.js";
import { createFrame, type VaultFrame } from "./frames.js";
import type { Held } from "./holder.js";
import type { FromKeeper, Op, Operations, Request, ToKeeper } from "./protocol.js";

/**
 * A frame whose script is blocked sends no message at all, so only a timeout detects it; time counts only while the
 * page is idle.
 */
const TICK_MS = 250;
const SILENT_TICKS = 12;
const CLOSED = "the vault was closed";
const LOST = "the page removed the frame that kept the secret; press Retry, then enter the secret again";
/** Delay before closing, because moving a cell replaces its view. */
const LINGER_MS = 2000;

export type Mode = "frame" | "page";

/** Reason why the user must decide before a field is shown. */
export type Doubt = "replaced" | "silent";
const DOUBTS: Readonly<Record<Doubt, string>> = {
  replaced:
    "a script of this page has replaced browser functions that protect this field; it could read what you type",
  silent:
    "the frame that protects this field did not start; the page's policy may forbid it, or the page is too busy. Without the frame, scripts of the page could read what you type",
};

/** Connection to a keeper that has answered. */
export interface Connection {
  mode: Mode;
  post(message: ToKeeper): void;
  /** Creates a channel for a new field: one port goes to the keeper, the returned one to the field. */
  attach(slot: string, facts: Facts): MessagePort;
  /** Creates a frame for a field, in mode `frame`. */
  openFrame(title: string): VaultFrame;
  /** True if the page removed or reloaded the keeper's frame: its secrets are gone. */
  lost(): boolean;
  remove(): void;
}

/** Doubts that the user has accepted. */
export type Accepted = Readonly<Record<Doubt, boolean>>;

/** Connects to a new keeper: `use` gets it as soon as it answers, `onMessage` gets its messages. */
export type Connect = (
  onMessage: (message: FromKeeper) => void,
  use: (keeper: Connection) => void,
  accepted: Accepted,
) => Promise<void>;

export class VaultError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Slot {
  held: Held;
  /** Questions of the last minute, as last reported by the keeper. */
  spent: number;
  paused: boolean;
  /** True while the field asks whether a token may be released. */
  asking: boolean;
}
const EMPTY: Slot = { held: { state: "none" }, spent: 0, paused: false, asking: false };

export interface Vault {
  /** Null while there is no keeper. */
  readonly mode: Computed<Mode | null>;
  /** Reason why there is no keeper. */
  readonly failure: Computed<string>;
  /** Doubt that the user has to decide on, or null. */
  readonly doubt: Computed<Doubt | null>;
  /** Ends the doubt, so that connecting is tried again; `accepting` names a doubt that is accepted from now on. */
  settle(accepting: Doubt | null): void;
  slot(name: string): Slot;
  /** @throws {VaultError} when the keeper rejects the request or is gone. */
  request<O extends Op>(op: O, args: Operations[O]["args"]): Promise<Operations[O]["value"]>;
  /** Creates a keeper if there is none; resolves when it answers. */
  connect(): Promise<void>;
  /**
   * Creates a channel from a field to the keeper and returns the field's port. @throws {VaultError} without a
   * keeper.
   */
  attach(slot: string, facts: Facts): MessagePort;
  /** Creates a frame for a field. @throws {VaultError} without a keeper. */
  openFrame(title: string): VaultFrame;
  /** Forgets all secrets, at once or unless `stay` is called soon. */
  close(when: "now" | "soon"): void;
  /** Cancels a delayed `close`, because a view was opened again. */
  stay(): void;
}

/**
 * Creates the vault of one widget.
 *
 * `changed` is called with the slot whose secret was typed, generated or cleared, and without one when all are
 * gone; `progress` while questions are being answered.
 */
export function createVault(
  connect: Connect,
  changed: (slot?: string) => void,
  progress: (done: number) => void,
): Vault {
  const slots = signal<Readonly<Record<string, Slot>>>({});
  const mode = signal<Mode | null>(null);
  const failure = signal("");
  const doubt = signal<Doubt | null>(null);
  const accepted: Record<Doubt, boolean> = { replaced: false, silent: false };
  const pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let keeper: Connection | null = null;
  let connecting: Promise<void> | null = null;
  let lastId = 0;
  let closeTimer: ReturnType<typeof setTimeout> | undefined;

  const onMessage = (message: FromKeeper) => {
    if ("id" in message) {
      const caller = pending.get(message.id);
      pending.delete(message.id);
      if (!caller) return;
      if ("error" in message) caller.reject(new VaultError(message.error.code, message.error.text));
      else caller.resolve(message.value as never);
    } else if (message.op === "state") {
      const { slot, held, spent, paused, asking, fresh } = message;
      slots.set({ ...slots.peek(), [slot]: { held, spent, paused, asking } });
      if (fresh) changed(slot);
    } else if (message.op === "progress") progress(message.done);
  };

  const close = () => {
    clearTimeout(closeTimer);
    keeper?.remove();
    keeper = null;
    connecting = null;
    mode.set(null);
    const held = Object.values(slots.peek()).some(({ held: { state } }) => state !== "none");
    slots.set({});
    for (const { reject } of pending.values()) reject(new VaultError("gone", CLOSED));
    pending.clear();
    if (held) changed();
  };

  /** Returns the keeper. @throws {VaultError} if it is gone. */
  const currentKeeper = (): Connection => {
    if (!keeper) throw new VaultError("gone", CLOSED);
    if (!keeper.lost()) return keeper;
    close();
    failure.set(LOST);
    throw new VaultError("gone", LOST);
  };

  const vault: Vault = {
    mode,
    failure,
    doubt,
    settle(accepting) {
      if (accepting) accepted[accepting] = true;
      failure.set("");
      doubt.set(null);
    },
    slot: (name) => slots()[name] ?? EMPTY,
    connect() {
      if (connecting) return connecting;
      failure.set("");
      doubt.set(null);
      let attempt: Promise<void> | null = null; // null until `connect` has returned
      const current = () => attempt === null || connecting === attempt;
      const use = (connection: Connection) => {
        if (!current()) return connection.remove();
        keeper = connection;
        mode.set(connection.mode);
      };
      attempt = connect((message) => current() && onMessage(message), use, accepted);
      connecting = attempt;
      attempt.catch((error: Error) => {
        if (connecting !== attempt) return;
        connecting = null;
        failure.set(error.message);
        const { code } = error as VaultError;
        doubt.set(code === "replaced" || code === "silent" ? code : null);
      });
      return attempt;
    },
    async request(op, args) {
      lastId += 1;
      const id = lastId;
      await vault.connect();
      const { post } = currentKeeper();
      const answer = new Promise<Operations[typeof op]["value"]>((resolve, reject) => {
        pending.set(id, { resolve, reject });
      });
      post({ id, op, args } as Request);
      return answer;
    },
    attach: (slot, facts) => currentKeeper().attach(slot, facts),
    openFrame: (title) => currentKeeper().openFrame(title),
    close(when) {
      clearTimeout(closeTimer);
      if (when === "now") close();
      else closeTimer = setTimeout(close, LINGER_MS);
    },
    stay: () => clearTimeout(closeTimer),
  };
  return vault;
}

/** Lazy part for a page that blocks the frame's script. */
export interface VaultModule {
  default: Pick<typeof Program, "createField" | "createKeeper">;
}

/** Connects to a keeper in its own frame; without a frame, in this page, only if the user has accepted that. */
export function connectKeeper(chunks: Chunks): Connect {
  return async (onMessage, use, accepted) => {
    const doubtful = (doubt: Doubt) => new VaultError(doubt, DOUBTS[doubt]);
    if (captured.replaced.length > 0 && !accepted.replaced) throw doubtful("replaced");
    const program = await chunks.text("vault.js");
    let ctl: Port | null = null;
    const onKeeperMessage = (data: unknown) => {
      const message = data as FromKeeper;
      if ("op" in message && message.op === "curves") {
        chunks.text("curves.js").then(
          (text) => ctl?.post({ op: "curves", source: text }),
          () => ctl?.post({ op: "curves", source: "" }),
        );
      } else onMessage(message);
    };
    const openFrame = (title: string) => {
      const frame = createFrame(program, title);
      if (!frame.genuine && !accepted.replaced) throw doubtful("replaced");
      return frame;
    };
    const connection = (mode: Mode, port: Port, ends: Pick<Connection, "lost" | "remove">): Connection => {
      ctl = port;
      return {
        mode,
        openFrame,
        ...ends,
        post: (message) => port.post(message),
        attach(slot, facts) {
          const { near, far } = channel();
          port.post({ op: "attach", slot, facts } satisfies ToKeeper, near);
          return far;
        },
      };
    };
    let silent = false;
    await new Promise<void>((done) => {
      const onAnswer = (framed: Framed | null) => {
        silent = framed === null;
        if (framed) use(connection("frame", framed.port, framed));
        done();
      };
      startKeeper(openFrame("Secret vault"), onKeeperMessage, onAnswer);
    });
    if (!silent) return;
    if (!accepted.silent) throw doubtful("silent");
    const { default: keeper } = await chunks.load<VaultModule>("vault");
    const { near, far } = channel();
    const port = open(near, onKeeperMessage);
    keeper.createKeeper(far, async () => (await chunks.load<{ default: typeof Curves }>("curves")).default);
    use(connection("page", port, { lost: () => false, remove: () => port.close() }));
  };
}

interface Framed {
  port: Port;
  lost(): boolean;
  remove(): void;
}

/** Starts a keeper in a hidden frame; `onAnswer` gets null if its script does not run. */
function startKeeper(
  frame: VaultFrame,
  onMessage: (data: unknown) => void,
  onAnswer: (framed: Framed | null) => void,
): void {
  const { host } = frame;
  host.hidden = true;
  host.dataset.hookWidgets = "keeper";
  host.setAttribute("aria-hidden", "true");
  let ready = false;
  let reloaded = false;
  frame.onLoad(() => {
    if (ready) {
      reloaded = true; // the keeper of a reloaded frame has no secrets
      return;
    }
    const { near, far } = channel();
    const remove = () => {
      port.close();
      host.remove();
    };
    const stop = afterIdleTimeout(() => {
      remove();
      onAnswer(null);
    });
    const port = open(near, (data) => {
      if ((data as FromKeeper as { op?: string }).op !== "ready") return onMessage(data);
      stop();
      ready = true;
      onAnswer({ port, lost: () => reloaded || !frame.isConnected(), remove });
    });
    frame.sendHello({ vault: 1, role: "keeper" }, far);
  });
  captured.appendChild(captured.bodyOf(window.document), host);
}

/**
 * Calls `giveUp` after some seconds in which the page was idle; the returned function cancels it.
 *
 * A late tick does not count: a message that is already queued is delivered before the next tick.
 */
function afterIdleTimeout(giveUp: () => void): () => void {
  let quiet = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last < 2 * TICK_MS) quiet += 1;
    last = now;
    if (quiet < SILENT_TICKS) return;
    clearInterval(timer);
    giveUp();
  }, TICK_MS);
  return () => clearInterval(timer);
}
