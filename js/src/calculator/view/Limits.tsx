/** The limits: one as any other input, several in rows with a name each. The first one has the slider. */
import { Fragment, h } from "preact";
import type { Pace } from "../../plot/state.js";
import { Control } from "../../plot/view/Control.js";
import { Button, Cross, Lock } from "../../ui/controls.js";
import type { Row } from "../wire.js";
import type { View } from "./view.js";

export function createLimits({ state, id, root }: View) {
  // Other limits than the preset's are one's own.
  const change = (limits: Row[], pace: Pace) => state.edit({ limits, preset: "" }, pace);
  const rateOf = (at: number) => id(`limit-${at}`);
  /** After the next drawing. */
  const focus = (at: number) =>
    setTimeout(() => root.querySelector<HTMLElement>(`[id="${rateOf(at)}"]`)?.focus());

  return () => {
    const { limits } = state.inputs();
    const fixed = state.fixed("limits");
    const several = limits.length > 1;
    const set = (at: number, row: Row, pace: Pace) => change(limits.with(at, row), pace);
    const add = () => {
      state.edit({ limits: [...limits, ["", ""]] }, "type"); // the preset's until something is written into it
      focus(limits.length);
    };
    const remove = (at: number) => {
      change(limits.toSpliced(at, 1), "now");
      focus(Math.min(at, limits.length - 2));
    };
    const nameField = (at: number, [name, rate]: Row) => (
      <input
        class="hw-input hw-name"
        aria-label={`Name of limit ${at + 1}`}
        placeholder="Name"
        spellcheck={false}
        autocomplete="off"
        readOnly={fixed}
        value={name}
        onInput={(event) => set(at, [event.currentTarget.value, rate], "type")}
        onChange={state.settle}
      />
    );
    const removal = (at: number, called: string) => (
      <button
        type="button"
        class="hw-btn hw-quiet hw-remove"
        aria-label={`Remove ${called}`}
        onClick={() => remove(at)}
      >
        <Cross />
      </button>
    );
    return (
      <>
        {limits.map((row, i) => {
          const [name, rate] = row;
          const called = name || `limit ${i + 1}`;
          return (
            <Control
              key={i}
              state={state}
              id={rateOf(i)}
              name={`limits.${i}`}
              lock="limits"
              label={several ? `Rate of ${called}` : "Rate limit"}
              head={several && nameField(i, row)}
              slider={i === 0}
              after={several && !fixed && removal(i, called)}
              value={rate}
              placeholder="1000/hour"
              onText={(text, pace) => set(i, [name, text], pace)}
            />
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
