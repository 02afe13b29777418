/** Crosshair and zoom over the picture: pointer or keys read values, a drag or keys select a part. */
import { Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import type { Picture } from "../../plot/frames.js";
import * as reading from "../../plot/readings.js";
import type { Overlay } from "../../plot/wire.js";
import type { View } from "./view.js";

/** Shorter drags count as clicks. */
const LEAST_DRAG_PX = 6;
const KEYS =
  "Left and right move in time, plus and minus zoom, Escape shows all. Drag over a part to zoom into it.";

export function createOverlay({ state, id, root }: View) {
  /** Time under the crosshair in seconds. */
  const at = signal<number | null>(null);
  /** Begin and end of a drag in seconds. */
  const drag = signal<[from: number, to: number] | null>(null);

  /**
   * True after the first overlay: from then on the line below stays, so that the page does not jump while a slider
   * moves.
   */
  let hadOverlay = false;

  const current = (): Overlay | null =>
    state.frames.fresh() ? (state.frames.frame()?.overlay ?? null) : null;
  const say = (overlay: Overlay, [from, to]: [number, number]) =>
    state.say(`Shows ${reading.timeText(overlay, from)} to ${reading.timeText(overlay, to)}`);
  const reset = () => {
    if (!state.part()) return;
    state.zoom(null);
    state.say("Shows the whole run");
  };
  const zoom = (overlay: Overlay, factor: number) => {
    const part = reading.zoomed(overlay, at.peek() ?? (overlay.begin + overlay.end) / 2, factor);
    if (!overlay.part && factor > 1) return;
    state.zoom(part);
    say(overlay, part);
  };
  const timeOf = (overlay: Overlay, event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return reading.timeAt(overlay, (event.clientX - box.left) / (box.width || 1));
  };

  const onKey = (overlay: Overlay) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (overlay.end - overlay.begin) / (event.shiftKey ? 10 : 100);
    const now = at.peek() ?? overlay.begin;
    const moves: Record<string, number> = {
      ArrowLeft: now - step,
      ArrowRight: now + step,
      Home: overlay.begin,
      End: overlay.end,
    };
    const time = moves[event.key];
    if (time !== undefined) at.set(reading.within(overlay, time));
    else if (event.key === "+" || event.key === "=") zoom(overlay, 0.5);
    else if (event.key === "-") zoom(overlay, 2);
    else if (event.key === "Escape") {
      if (drag.peek()) drag.set(null);
      else reset();
    } else return;
    event.preventDefault();
  };
  const onDown = (overlay: Overlay) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    const time = timeOf(overlay, event);
    at.set(time);
    drag.set([time, time]);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const onMove = (overlay: Overlay) => (event: PointerEvent) => {
    const time = timeOf(overlay, event);
    at.set(time);
    const dragStart = drag.peek();
    if (dragStart) drag.set([dragStart[0], time]);
  };
  const onUp = (overlay: Overlay) => (event: PointerEvent) => {
    const dragStart = drag.peek();
    drag.set(null);
    if (!dragStart) return;
    const width = (event.currentTarget as HTMLElement).getBoundingClientRect().width || 1;
    const part: [number, number] = dragStart[0] < dragStart[1] ? dragStart : [dragStart[1], dragStart[0]];
    if (((part[1] - part[0]) / (overlay.end - overlay.begin)) * width < LEAST_DRAG_PX) return;
    state.zoom(part);
    say(overlay, part);
  };
  const leave = () => {
    if (drag.peek() || root.querySelector(":focus-visible.hw-plot-area")) return;
    at.set(null);
  };

  const area = (overlay: Overlay, picture: Picture, time: number | null, values: string) => {
    const [left = 0, top = 0, width = 0] = overlay.lanes[0]?.place ?? [];
    const [, lastTop = 0, , lastHeight = 0] = overlay.lanes.at(-1)?.place ?? [];
    const across = (px: number) => `${(100 * px) / picture.width}%`;
    const down = (px: number) => `${(100 * px) / picture.height}%`;
    const along = (seconds: number) => 100 * reading.share(overlay, seconds);
    const chosen = drag();
    return (
      <div
        class="hw-plot-area"
        role="slider"
        tabIndex={0}
        aria-label="Time in the chart"
        aria-describedby={id("plot-keys")}
        aria-valuemin={overlay.begin}
        aria-valuemax={overlay.end}
        aria-valuenow={time ?? overlay.begin}
        aria-valuetext={values || "no time chosen"}
        style={{
          left: across(left),
          top: down(top),
          width: across(width),
          height: down(lastTop + lastHeight - top),
        }}
        onKeyDown={onKey(overlay)}
        onPointerDown={onDown(overlay)}
        onPointerMove={onMove(overlay)}
        onPointerUp={onUp(overlay)}
        onPointerCancel={() => drag.set(null)}
        onPointerLeave={leave}
        onBlur={() => at.set(null)}
        onDblClick={reset}
      >
        {chosen && (
          <span
            class="hw-plot-chosen"
            style={{ left: `${along(Math.min(...chosen))}%`, right: `${100 - along(Math.max(...chosen))}%` }}
          />
        )}
        {time !== null && <span class="hw-plot-line" style={{ left: `${along(time)}%` }} />}
      </div>
    );
  };

  return () => {
    const overlay = current();
    const picture = state.frames.picture();
    if (overlay) hadOverlay = true;
    if (!hadOverlay || !picture || (!overlay && state.sweep())) return null;
    const time = overlay && at() !== null ? reading.within(overlay, at() as number) : null;
    const lines = overlay && time !== null ? reading.readings(overlay, picture.values, time) : [];
    const when = overlay && time !== null ? reading.timeText(overlay, time) : "";
    return (
      <>
        {overlay && (
          <div
            class="hw-plot-over"
            style={{ width: `${picture.width}px`, aspectRatio: `${picture.width} / ${picture.height}` }}
          >
            {area(overlay, picture, time, [when, ...lines].join(", "))}
          </div>
        )}
        <div class="hw-plot-foot">
          <p class="hw-plot-reading" aria-hidden="true">
            {time === null ? (
              "Point at the chart to read values; drag to zoom."
            ) : (
              <>
                <b>{when}</b> {lines.join(" · ")}
              </>
            )}
          </p>
          {overlay?.part && (
            <button type="button" class="hw-btn hw-quiet" onClick={reset}>
              Show all
            </button>
          )}
        </div>
        <p class="hw-offscreen" id={id("plot-keys")}>
          {KEYS}
        </p>
      </>
    );
  };
}
