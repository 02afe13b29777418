/** Crosshair and zoom over the picture: pointer or keys read values, a drag or keys select a part. */
import { Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import type { Picture } from "../../plot/frames.js";
import * as reading from "../../plot/readings.js";
import type { Overlay } from "../../plot/wire.js";
import { Button } from "../../ui/controls.js";
import type { View } from "./view.js";

type Span = [from: number, to: number];

/** Shorter drags count as clicks. */
const LEAST_DRAG_PX = 6;
const KEYS = "Left and right move in time, plus and minus zoom, Escape shows all.";
/** Rest of a pointer after which the values under it are spoken. */
const REST_MS = 500;

export function createOverlay(view: View) {
  const { state, id } = view;
  const crosshair = createCrosshair(view);
  /**
   * True after the first overlay: from then on the line below stays, so that the page does not jump while a slider
   * moves.
   */
  let hadOverlay = false;

  return () => {
    const overlay = state.frames.stale() ? null : (state.frames.frame()?.overlay ?? null);
    const picture = state.frames.picture();
    if (overlay) hadOverlay = true;
    if (!hadOverlay || !picture || (!overlay && state.sweep())) return null;
    const at = crosshair.at();
    const time = overlay && at !== null ? reading.within(overlay, at) : null;
    const [when, ...lines] = overlay && time !== null ? reading.readings(overlay, picture.values, time) : [];
    return (
      <>
        {overlay && (
          <div
            class="hw-plot-over"
            style={{ width: `${picture.width}px`, aspectRatio: `${picture.width} / ${picture.height}` }}
          >
            <div
              class="hw-plot-area"
              role="slider"
              tabIndex={0}
              aria-label="Time in the chart"
              aria-describedby={id("plot-keys")}
              aria-valuemin={overlay.begin}
              aria-valuemax={overlay.end}
              aria-valuenow={time ?? overlay.begin}
              aria-valuetext={when ? [when, ...lines].join(", ") : "no time chosen"}
              style={areaOf(overlay, picture)}
              {...crosshair.handlers(overlay)}
            >
              <Marks overlay={overlay} time={time} chosen={crosshair.drag()} />
            </div>
          </div>
        )}
        <div class="hw-plot-foot">
          <p class="hw-plot-reading" aria-hidden="true">
            {when ? (
              <>
                <b>{when}</b> {lines.join(" · ")}
              </>
            ) : (
              "Point at the chart to read values; drag to zoom."
            )}
          </p>
          {overlay?.part && (
            <Button look="quiet" onClick={crosshair.reset}>
              Show all
            </Button>
          )}
        </div>
        <p class="hw-offscreen" id={id("plot-keys")}>
          {KEYS}
        </p>
      </>
    );
  };
}

/** Place of the lanes in the picture, in percent. */
function areaOf({ lanes }: Overlay, { width, height }: Picture) {
  const [left = 0, top = 0, across = 0] = lanes[0]?.place ?? [];
  const [, lastTop = 0, , lastHeight = 0] = lanes.at(-1)?.place ?? [];
  const percent = (part: number, of: number) => `${(100 * part) / of}%`;
  return {
    left: percent(left, width),
    top: percent(top, height),
    width: percent(across, width),
    height: percent(lastTop + lastHeight - top, height),
  };
}

type MarksProps = { overlay: Overlay; time: number | null; chosen: Span | null };

/** The line under the crosshair, and the part that a drag selects. */
function Marks({ overlay, time, chosen }: MarksProps) {
  const along = (seconds: number) => 100 * reading.share(overlay, seconds);
  return (
    <>
      {chosen && (
        <span
          class="hw-plot-chosen"
          style={{ left: `${along(Math.min(...chosen))}%`, right: `${100 - along(Math.max(...chosen))}%` }}
        />
      )}
      {time !== null && <span class="hw-plot-line" style={{ left: `${along(time)}%` }} />}
    </>
  );
}

/** Moves the crosshair and zooms, by pointer and by keys. */
function createCrosshair({ state }: View) {
  /** Time under the crosshair in seconds. */
  const at = signal<number | null>(null);
  /** Begin and end of a drag in seconds. */
  const drag = signal<Span | null>(null);
  let resting: ReturnType<typeof setTimeout>;

  const show = (overlay: Overlay, part: Span) => {
    state.zoom(part);
    state.say(`Shows ${part.map((time) => reading.timeText(overlay, time)).join(" to ")}`);
  };
  const reset = () => {
    if (!state.part()) return;
    state.zoom(null);
    state.say("Shows the whole run");
  };
  const zoom = (overlay: Overlay, factor: number) => {
    if (!overlay.part && factor > 1) return;
    show(overlay, reading.zoomed(overlay, at.peek() ?? (overlay.begin + overlay.end) / 2, factor));
  };
  const areaUnder = ({ currentTarget }: PointerEvent) => currentTarget as HTMLElement;
  const boxOf = (event: PointerEvent) => areaUnder(event).getBoundingClientRect();
  const timeOf = (overlay: Overlay, event: PointerEvent) => {
    const { left, width } = boxOf(event);
    return reading.timeAt(overlay, (event.clientX - left) / (width || 1));
  };

  const handlers = (overlay: Overlay) => ({
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const time = reading.moved(overlay, at.peek() ?? overlay.begin, event.key, event.shiftKey ? 10 : 100);
      if (time !== undefined) at.set(time);
      else if (event.key === "+" || event.key === "=") zoom(overlay, 0.5);
      else if (event.key === "-") zoom(overlay, 2);
      else if (event.key === "Escape") drag.peek() ? drag.set(null) : reset();
      else return;
      event.preventDefault();
    },
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      const time = timeOf(overlay, event);
      at.set(time);
      drag.set([time, time]);
      areaUnder(event).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const time = timeOf(overlay, event);
      at.set(time);
      const begun = drag.peek();
      if (begun) drag.set([begun[0], time]);
      const area = areaUnder(event);
      clearTimeout(resting);
      // A screen reader itself speaks the values of a slider that has the focus.
      resting = setTimeout(() => {
        if (area.matches(":hover:not(:focus)")) state.say(area.ariaValueText ?? "");
      }, REST_MS);
    },
    onPointerUp(event: PointerEvent) {
      const part = drag.peek()?.toSorted((a, b) => a - b) as Span | undefined;
      drag.set(null);
      if (!part) return;
      const px = ((part[1] - part[0]) / (overlay.end - overlay.begin)) * boxOf(event).width;
      if (px >= LEAST_DRAG_PX) show(overlay, part);
    },
    onPointerCancel: () => drag.set(null),
    onPointerLeave(event: PointerEvent) {
      if (!drag.peek() && !areaUnder(event).matches(":focus-visible")) at.set(null);
    },
    onBlur: () => at.set(null),
    onDblClick: reset,
  });
  return { at, drag, reset, handlers };
}
