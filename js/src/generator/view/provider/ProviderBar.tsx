/** Selectors of provider, event, signature format and clock. */
import { Fragment, h } from "preact";
import { signal } from "../../../core/signals.js";
import { createCombobox } from "../../../ui/Combobox.js";
import { SelectField } from "../../../ui/controls.js";
import type { Clock } from "../../wire.js";
import type { Lazy } from "../Lazy.js";
import { errorAt } from "../request/Receiver.js";
import type { View } from "../view.js";
import type { ClockTimeProps } from "./ClockTime.js";
import { createProviderPicker } from "./Providers.js";

export function createProviderBar(view: View, lazy: Lazy) {
  const { state, id } = view;
  const { event, provider, scheme } = state.inputs;
  const providers = createProviderPicker(view, "provider", (props) => lazy("filters", null, props));
  const events = createCombobox(id("event"), "event", state.say);
  const clock = createClock(view, lazy);
  return () => {
    const facts = state.provider();
    // The catalog contains the confidence, before the provider's own data arrives.
    const listed = facts ?? state.catalog()?.providers.find((listed) => listed.id === provider());
    return (
      <div class="hw-choose">
        {providers({
          value: provider(),
          locked: state.locked("provider"),
          // The kernel selects an event of the new provider and loads its template.
          onPick: (chosen) => state.edit({ provider: chosen }),
        })}
        {events({
          label: "Event",
          options: (facts?.events ?? []).map(({ name, category, title }) => {
            return { id: name, label: name, group: category, hint: title === name ? "" : title };
          }),
          value: event(),
          locked: state.locked("event"),
          onPick: (chosen) => state.edit({ event: chosen }),
        })}
        {facts && facts.schemes.length > 1 && (
          <SelectField
            id={id("scheme")}
            label="Format"
            locked={state.locked("scheme")}
            value={scheme()}
            options={[
              ["", "Default for event"],
              ...facts.schemes.map(({ name, title }): [string, string] => [name, title || name]),
            ]}
            onPick={(chosen) => state.edit({ scheme: chosen })}
          />
        )}
        {clock()}
        {listed &&
          lazy("evidence", <div class="hw-sure" />, {
            confidence: listed.confidence,
            unconfirmed: facts?.unconfirmed ?? [],
          })}
        {state.catalog()?.problems.length ? lazy("fileErrors") : null}
      </div>
    );
  };
}

function createClock({ state, id }: View, lazy: Lazy) {
  const typed = signal(String(state.inputs.clock.peek().offset_s));
  const set: ClockTimeProps["set"] = ({ mode, at, offset_s }, delay = 0) => {
    const wire = mode === "fixed" ? { mode, at } : mode === "offset" ? { mode, offset_s } : { mode };
    state.edit({ clock: wire as Clock }, delay);
  };
  return () => {
    const clock = state.inputs.clock();
    const { mode, at, offset_s } = clock;
    const locked = state.locked("clock");
    const hint = errorAt(state, "clock");
    return (
      <>
        <SelectField
          id={id("clock")}
          label="Clock"
          locked={locked}
          hint={mode === "now" && hint}
          value={mode}
          options={[
            ["now", "Now (when sent)"],
            ["fixed", "Fixed time"],
            ["offset", "Offset from now"],
          ]}
          onPick={(picked) => {
            const start = at || state.draft()?.at || new Date().toISOString();
            typed.set(String(offset_s || -300));
            set({ mode: picked, at: start, offset_s: offset_s || -300 });
          }}
        />
        {mode !== "now" && lazy("clockTime", null, { typed, set })}
      </>
    );
  };
}
