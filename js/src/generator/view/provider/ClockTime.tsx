/** The fixed time of the clock, or its offset. */
import type { Signal } from "../../../core/signals.js";
import { errorAt, Fragment, h, TextField, TYPING_MS } from "../../lazy-exports.js";
import type { Clock } from "../../wire.js";
import type { View } from "../view.js";

/** Converts an ISO time to the value of a datetime-local field, in UTC; "" if it is invalid. */
export function utcField(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(0, 19);
}

export interface ClockTimeProps {
  /** The offset as it is typed. */
  typed: Signal<string>;
  /** Without an offset the kernel says what is wrong. */
  set(clock: Omit<Clock, "offset_s"> & { offset_s: number | null }, delay?: number): void;
}

export function createClockTime({ state, id }: View) {
  return ({ typed, set }: ClockTimeProps) => {
    const clock = state.inputs.clock();
    const { mode, at, offset_s } = clock;
    const hint = errorAt(state, "clock");
    const shared = { locked: state.locked("clock"), hint, invalid: Boolean(hint) };
    return (
      <>
        {mode === "fixed" && (
          <TextField
            id={id("at")}
            label="Time (UTC)"
            type="datetime-local"
            {...shared}
            value={utcField(at)}
            onText={(time) => time && set({ ...clock, at: `${time}Z` })}
          />
        )}
        {mode === "offset" && (
          <TextField
            id={id("offset")}
            label="Offset (seconds)"
            type="number"
            {...shared}
            // Keep an incomplete number, such as “-”, while typing.
            value={typed() === "" || Number(typed()) === offset_s ? typed() : offset_s}
            onText={(text) => {
              typed.set(text);
              set({ ...clock, offset_s: text ? Number(text) : null }, TYPING_MS);
            }}
          />
        )}
      </>
    );
  };
}
