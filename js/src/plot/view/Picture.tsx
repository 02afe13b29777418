/** The status and the picture. */
import { type ComponentChildren, h } from "preact";
import { effect } from "../../core/signals.js";
import { Button, Chip, type Tone } from "../../ui/controls.js";
import type { Place } from "../../ui/mount.js";
import type { State } from "../state.js";

/** The requested width is a multiple of this, so that a resize does not request every pixel. */
const STEP = 8;

/** Returns tone and text of the status. */
export function statusOf(state: State): [tone: Tone, text: string] {
  const error = state.frames.error();
  if (error) return ["bad", error.text];
  const status = state.frames.frame()?.status;
  return status ? [status.level, status.text] : ["plain", ""];
}

/** Returns the class of content that belongs to an older picture. */
export const staleness = ({ frames }: State) => (frames.stale() ? "hw-late" : "");

interface Shown {
  state: State;
  /** Returns the label of the input that an error is about; empty if it is not a single input. */
  where(field: string): string;
  /** Draws over the picture. */
  overlay?(): ComponentChildren;
  /** Height of the placeholder while there is no picture, in pixels. */
  blank: number;
}

export function createPicture({ state, root, theme, ends, where, blank, overlay }: Place & Shown) {
  const { frames } = state;
  /** Width for the next picture; hosts that swap their style sheets leave a page without a layout for a moment. */
  let width = 0;
  const place = () => {
    const measured = root.querySelector(".hw-picture")?.clientWidth ?? 0;
    if (measured >= STEP) width = measured - (measured % STEP);
    if (width) state.place({ width, theme: theme() });
  };
  const sizes = new ResizeObserver(place);
  sizes.observe(root);
  const stop = effect(() => {
    theme();
    queueMicrotask(place);
  });
  // With several views, the picture has the size of the focused one.
  root.addEventListener("focusin", place, { signal: ends });
  ends.addEventListener("abort", () => {
    sizes.disconnect();
    stop();
  });

  return () => {
    const picture = frames.picture();
    const error = frames.error();
    const wrong = error && where(error.field);
    const [tone, text] = statusOf(state);
    const stale = staleness(state);
    const kernel = state.kernel();
    const missing =
      kernel === "none" || kernel === "gone"
        ? "No kernel: the chart cannot be drawn."
        : error
          ? "Correct the inputs to draw the chart."
          : "Drawing the chart…";
    return (
      <section class="hw-figure" aria-label="Result">
        <div class="hw-head">
          {text && (
            <span class={error ? "" : stale}>
              <Chip tone={tone}>{error ? `Check ${wrong ? `“${wrong}”` : "the inputs"}` : text}</Chip>
            </span>
          )}
          {error && frames.frame() && <span class="hw-hint">The chart shows the last valid inputs.</span>}
          <div class="hw-right">
            {(["png", "svg"] as const).map((format) => (
              <Button
                key={format}
                look="quiet"
                disabled={!picture || kernel === "none"}
                onClick={() => state.download({ format })}
              >
                Save {format.toUpperCase()}
              </Button>
            ))}
          </div>
        </div>
        {picture?.note && <p class="hw-hint">{picture.note}</p>}
        {wrong === "" && <p class="hw-alert hw-bad">{error?.text}</p>}
        <div class="hw-picture" aria-busy={frames.busy()}>
          {picture ? (
            <img
              class={stale}
              src={picture.address}
              alt={picture.alt}
              width={picture.width}
              height={picture.height}
              data-theme={picture.theme}
              decoding="sync"
              draggable={false}
            />
          ) : (
            <p class="hw-blank" style={{ minHeight: `${blank}px` }}>
              {missing}
            </p>
          )}
          {picture && overlay?.()}
        </div>
      </section>
    );
  };
}
