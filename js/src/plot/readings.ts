/** Values of a picture at a time, from the arrays that it was drawn from. */
import type { Overlay } from "./wire.js";

/** Converts a share of the time axis to a time. */
export function timeAt(overlay: Overlay, share: number): number {
  return within(overlay, overlay.begin + share * (overlay.end - overlay.begin));
}

/** Converts a time to a share of the time axis. */
export function share({ begin, end }: Overlay, time: number): number {
  return end > begin ? (time - begin) / (end - begin) : 0;
}

export function within({ begin, end }: Overlay, time: number): number {
  return Math.min(Math.max(time, begin), end);
}

/** Returns the part of the axis around a time, with the current length times a factor. */
export function zoomed(overlay: Overlay, time: number, factor: number): [begin: number, end: number] {
  const begin = time - factor * (time - overlay.begin);
  return [Math.max(0, begin), begin + factor * (overlay.end - overlay.begin)];
}

export function timeText({ unit }: Overlay, time: number): string {
  return `${plain(time / unit.seconds, unit.decimals)} ${unit.name}`;
}

/** Formats a time, and each value at it with its label, such as "Tokens left 12". */
export function readings(overlay: Overlay, values: Float32Array, time: number): string[] {
  const lines = [timeText(overlay, time)];
  let offset = 0;
  for (const { title, series } of overlay.lanes) {
    for (const { label, count, bins } of series) {
      const index = bins
        ? Math.floor((time - overlay.bins.begin) / overlay.bins.width)
        : Math.floor(share(overlay, time) * count);
      const value = values[offset + Math.min(Math.max(index, 0), count - 1)] ?? 0;
      lines.push(`${title ? `${title}, ` : ""}${label} ${plain(value, Math.abs(value) < 100 ? 1 : 0)}`);
      offset += count;
    }
  }
  return lines;
}

function plain(value: number, decimals: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: decimals });
}

/** Returns the time that a key moves the crosshair to, by steps of a share of the axis; undefined for other keys. */
export function moved(overlay: Overlay, from: number, key: string, steps: number): number | undefined {
  const { begin, end } = overlay;
  const step = (end - begin) / steps;
  const to = { ArrowLeft: from - step, ArrowRight: from + step, Home: begin, End: end }[key];
  return to === undefined ? to : within(overlay, to);
}
