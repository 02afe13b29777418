/**
 * The limits: a single one like any other input, several in rows with names. The first one has the slider. Below
 * each: its scope, which is part of its text.
 */
import { Fragment, h } from "preact";
import type { Pace } from "../../plot/state.js";
import { Control } from "../../plot/view/Control.js";
import { Button, Cross, Lock } from "../../ui/controls.js";
import { type Row, splitLevel, withLevel } from "../wire.js";
import type { View } from "./view.js";

export function createLimits({ state, id, root }: View) {
  // Edited limits are no longer those of the preset.
  const change = (limits: Row[], pace: Pace) => state.edit({ limits, preset: "" }, pace);
  const rateOf = (at: number) => id(`limit-${at}`);
  /** After the next rendering. */
  const focus = (at: number) =>
    setTimeout(() => root.querySelector<HTMLElement>(`[id="${rateOf(at)}"]`)?.focus());

  return () => {
    const { limits } = state.inputs();
    const fixed = state.fixed("limits");
    const several = limits.length > 1;
    const set = (at: number, row: Row, pace: Pace) => change(limits.with(at, row), pace);
    const add = () => {
      state.edit({ limits: [...limits, ["", ""]] }, "type"); // the preset's until the new row has a text
      focus(limits.length);
    };
    const remove = (at: number) => {
      change(limits.toSpliced(at, 1), "now");
      focus(Math.min(at, limits.length - 2));
    };
    const nameField = (at: number, [name, limit]: Row) => (
      <input
        class="hw-input hw-name"
        aria-label={`Name of limit ${at + 1}`}
        placeholder="Name"
        spellcheck={false}
        autocomplete="off"
        readOnly={fixed}
        value={name}
        onInput={(event) => set(at, [event.currentTarget.value, limit], "type")}
        onChange={state.settle}
      />
    );
    const removal = (at: number, rowLabel: string) => (
      <button
        type="button"
        class="hw-btn hw-quiet hw-remove"
        aria-label={`Remove ${rowLabel}`}
        onClick={() => remove(at)}
      >
        <Cross />
      </button>
    );
    const levels = state.catalog()?.levels ?? [];
    const appliesTo = (at: number, rowLabel: string, [name, text]: Row) => {
      const [rate, level] = splitLevel(text);
      const key = id(`level-${at}`);
      const known = !level || levels.some((each) => each.id === level);
      return (
        <div class="hw-control hw-level">
          <label for={key}>Applies to{several && <span class="hw-offscreen"> ({rowLabel})</span>}</label>
          <select
            id={key}
            class="hw-input hw-alone"
            value={level}
            disabled={fixed}
            onChange={(event) => set(at, [name, withLevel(rate, event.currentTarget.value)], "now")}
          >
            <option value="">all requests</option>
            {!known && <option value={level}>{`each ${level}`}</option>}
            {levels.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
        </div>
      );
    };
    return (
      <>
        {limits.map((row, i) => {
          const [name, text] = row;
          const [rate, level] = splitLevel(text);
          const rowLabel = name || `limit ${i + 1}`;
          return (
            <Fragment key={i}>
              <Control
                state={state}
                id={rateOf(i)}
                name={`limits.${i}`}
                lock="limits"
                label={several ? `Rate of ${rowLabel}` : "Rate limit"}
                head={several && nameField(i, row)}
                slider={i === 0}
                after={several && !fixed && removal(i, rowLabel)}
                value={rate}
                placeholder="1000/hour"
                onText={(typed, pace) => set(i, [name, withLevel(typed, level)], pace)}
              />
              {appliesTo(i, rowLabel, row)}
            </Fragment>
          );
        })}
        {!fixed && (
          <div class="hw-add">
            <Button look="quiet" onClick={add}>
              Add a limit
            </Button>
          </div>
        )}
        {several && state.locked("limits") && <Lock />}
      </>
    );
  };
}
