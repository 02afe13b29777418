/**
 * Requests frames for the newest inputs: one at a time, the next one after its picture is painted.
 *
 * Each change of the inputs has a number. A frame is stale if its input number is not the newest.
 */

import type { Reader } from "../core/decoders.js";
import { latestOnly, nothing, type Rpc } from "../core/rpc.js";
import { type Computed, signal } from "../core/signals.js";
import { createLate } from "./late.js";
import type { Loaded, Screen } from "./screen.js";
import type { Basics } from "./wire.js";

/** Delay before the widget says that it waits for the kernel, and pings it, in milliseconds. */
export const ANSWER_MS = 2000;

/** The same for a frame that the kernel computes in the background: it answers a ping before it. */
const SLOW_MS = 20_000;

/** Delay before an older picture and older texts look so: most are replaced earlier, and would only flicker. */
const PICTURE_LATE_MS = 300;
const TEXTS_LATE_MS = 500;

/** Size of the requested picture in CSS pixels. */
export interface Size {
  width: number;
  theme: "light" | "dark";
}

export interface Picture extends Loaded, Size {
  height: number;
  alt: string;
  /** Values under the crosshair, in the layout of the frame's overlay; empty without overlay. */
  values: Float32Array;
  /** Reason why the picture is the SVG fallback; empty for a full picture. */
  note: string;
}

export type Frames<F extends Basics = Basics> = ReturnType<typeof createFrames<F>>;

interface Asking<F extends Basics> {
  rpc: Rpc;
  screen: Screen;
  /** Number of the newest inputs. */
  newest: Computed<number>;
  inputs(): object;
  /** Null while no view can show a picture. */
  size(): Size | null;
  trouble(text: string): void;
  read: Reader<F>;
  /** Returns further arguments of a request for a picture of this width. */
  extraArgs(width: number): Record<string, unknown>;
  /** Returns the last full frame with the values of a quick one. */
  mergeQuick(before: F, quick: F): F;
  /** True if the kernel computes the frames in the background. */
  slow(): boolean;
}

/** Decodes little-endian floats, as every browser stores them; copies, because a buffer may start at any byte. */
const floats = (bytes: Uint8Array = new Uint8Array()) =>
  new Float32Array(bytes.slice().buffer, 0, bytes.length >> 2);

export function createFrames<F extends Basics>(asking: Asking<F>) {
  const { rpc, screen, newest, inputs, size, trouble, read: reader, extraArgs, mergeQuick, slow } = asking;
  /** The last frame with valid inputs. */
  const frame = signal<F | null>(null);
  const picture = signal<Picture | null>(null);
  const fields = signal<Basics["fields"]>({});
  const scales = signal<NonNullable<Basics["scales"]>>({ id: "", steps: {} });
  /** Error of the newest inputs that have a reply. */
  const error = signal<Basics["error"]>(null);
  const answered = signal(-1);
  const read = signal(-1);
  /** True if a reply takes long. */
  const overdue = signal(false);
  const busy = () => answered() !== newest();
  const unread = () => read() !== newest();
  const pictureLate = createLate(() => busy() && picture(), PICTURE_LATE_MS);
  const textsLate = createLate(unread, TEXTS_LATE_MS);
  let closed = false;
  let lost = false;

  const apply = (answer: F, of: number, quick: boolean) => {
    // A slider keeps its steps while an invalid field leaves it without new ones.
    const { id, steps } = answer.scales ?? scales();
    scales.set({ id, steps: { ...scales().steps, ...steps } });
    // The derived values of empty fields are unknown while another field is invalid.
    const now = inputs() as unknown as Record<string, unknown>;
    const empty = Object.entries(fields()).filter(([name]) => answer.error && now[name] === "");
    fields.set({ ...fields(), ...answer.fields, ...Object.fromEntries(empty) });
    error.set(answer.error);
    answered.set(of);
    if (!quick) read.set(of);
    trouble("");
  };

  /** Requests a frame; null if the reply is lost: the kernel replies in order, and replied to a later request. */
  const request = async (args: Record<string, unknown>) => {
    // The first picture may take long, because the kernel loads its plotting library.
    const first = !picture.peek();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = new Promise<null>((resolve) => {
      const watch = (ms: number) => {
        timer = setTimeout(() => {
          overdue.set(!first);
          const resolveLost = () => resolve(null);
          rpc.request("ping", {}, nothing, { slow: true }).then(resolveLost, () => {});
          watch(2 * ms);
        }, ms);
      };
      watch(slow() ? SLOW_MS : ANSWER_MS);
    });
    try {
      return await Promise.race([rpc.request("frame", args, reader, { slow: true }), later]);
    } finally {
      clearTimeout(timer);
      overdue.set(false);
    }
  };

  const paint = async (answer: F, [file, values]: Uint8Array[], of: number, place: Size) => {
    const { width, height, alt, quick, note, media_type } = answer.picture as NonNullable<Basics["picture"]>;
    const loaded = await screen.load(file as Uint8Array, media_type);
    if (closed) return;
    const shown = alt || (picture.peek()?.alt ?? "");
    apply(answer, of, quick);
    const before = quick ? frame.peek() : null;
    frame.set(before ? mergeQuick(before, answer) : answer);
    picture.set({ ...loaded, ...place, width, height, note, alt: shown, values: floats(values) });
    await loaded.painted();
    performance.clearMarks("hw:paint"); // otherwise marks pile up
    performance.mark("hw:paint", { detail: { seq: of, quick, fresh: of === newest() } });
  };

  const ask = latestOnly(async (quick: boolean) => {
    const place = size();
    if (!place || closed) return;
    const now = inputs();
    const of = newest();
    const args = {
      inputs: now,
      ...place,
      ...extraArgs(place.width),
      dpr: screen.dpr,
      quick,
      scales: scales.peek().id,
    };
    try {
      const reply = await request(args);
      if (reply) {
        const { value, buffers } = reply;
        if (value.error) apply(value, of, quick);
        else if (value.picture && buffers[0]) await paint(value, buffers, of, place);
        else throw new Error("The kernel sent no chart. Check that kernel and page run the same version.");
      } else if (lost)
        trouble("The chart did not arrive, although the kernel responds. Change an input to try again.");
      else ask(false);
      lost = !reply && !lost;
    } catch (reason) {
      if ((reason as { code?: string }).code !== "gone") trouble((reason as Error).message);
    }
  });

  return {
    frame,
    picture,
    fields,
    steps: () => scales().steps,
    error,
    /** True if picture and status belong to the newest inputs. */
    fresh: () => !busy() && !error(),
    /** True if the whole frame belongs to the newest inputs; a quick frame has no text. */
    whole: () => !unread() && !error(),
    /** True while the newest inputs have no reply. */
    busy,
    /** True while the newest inputs have no complete reply. */
    unread,
    /** True if the picture and the status belong to other inputs, and look so. */
    stale: () => frame() && (error() || pictureLate()),
    /** The same for the texts, which a quick frame does not have. */
    textsStale: () => error() || textsLate(),
    overdue,
    ask,
    close() {
      closed = true;
    },
  };
}
