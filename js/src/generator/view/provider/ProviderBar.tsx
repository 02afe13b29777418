/** Selectors of provider, event, signature format and clock. */
import { Fragment, h } from "preact";
import { count } from "../../../core/bytes.js";
import { signal } from "../../../core/signals.js";
import { createCombobox } from "../../../ui/Combobox.js";
import { Chip, SelectField, TextField } from "../../../ui/controls.js";
import { TYPING_MS } from "../../inputs.js";
import type { Clock, Confidence } from "../../wire.js";
import type { Lazy } from "../Lazy.js";
import { errorAt } from "../request/Receiver.js";
import type { View } from "../view.js";
import { createProviderPicker, evidenceLabel } from "./Providers.js";

export function createProviderBar(view: View, lazy: Lazy) {
  const { state, id } = view;
  const { event, provider, scheme } = state.inputs;
  const providers = createProviderPicker(view, "provider");
  const events = createCombobox(id("event"), "event", state.say);
  const clock = createClock(view);
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
        {listed && evidence(listed.confidence, facts?.unconfirmed ?? [])}
        {state.catalog()?.problems.length ? lazy("fileErrors") : null}
      </div>
    );
  };
}

/** Evidence for the signature, the headers and the bodies: one of them proves nothing about the others. */
function evidence({ scheme, headers, bodies }: Confidence, unconfirmed: string[]) {
  const parts: [part: string, word: string][] =
    scheme === "seed"
      ? [["Format", scheme]]
      : [
          ["Signature", scheme],
          ["Headers", headers],
          ["Bodies", bodies],
        ];
  return (
    <div class="hw-sure">
      {parts.map(([part, word]) => {
        const [text, tone] = evidenceLabel(word);
        // Documentation shows a body, but it proves no signature.
        return (
          <Chip tone={part === "Signature" && word === "docs" ? "warn" : tone}>{`${part}: ${text}`}</Chip>
        );
      })}
      {unconfirmed.length > 0 && (
        <details class="hw-details">
          <summary>{count(unconfirmed.length, "unverified detail")}</summary>
          <ul class="hw-excluded">
            {unconfirmed.map((fact) => (
              <li>{fact}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Converts an ISO time to the value of a datetime-local field, in UTC; "" if it is invalid. */
export function utcField(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(0, 19);
}

function createClock({ state, id }: View) {
  const typed = signal(String(state.inputs.clock.peek().offset_s));
  const set = ({ mode, at, offset_s }: Clock, delay = 0) => {
    const wire = mode === "fixed" ? { mode, at } : mode === "offset" ? { mode, offset_s } : { mode };
    state.edit({ clock: wire as Clock }, delay);
  };
  return () => {
    const clock = state.inputs.clock();
    const { mode, at, offset_s } = clock;
    const locked = state.locked("clock");
    const hint = errorAt(state, "clock");
    const invalid = Boolean(hint);
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
        {mode === "fixed" && (
          <TextField
            id={id("at")}
            label="Time (UTC)"
            type="datetime-local"
            locked={locked}
            hint={hint}
            invalid={invalid}
            value={utcField(at)}
            onText={(time) => time && set({ ...clock, at: `${time}Z` })}
          />
        )}
        {mode === "offset" && (
          <TextField
            id={id("offset")}
            label="Offset (seconds)"
            type="number"
            locked={locked}
            hint={hint}
            invalid={invalid}
            // Keep an incomplete number, such as “-”, while typing.
            value={typed() === "" || Number(typed()) === offset_s ? typed() : offset_s}
            onText={(text) => {
              typed.set(text);
              if (text) set({ ...clock, offset_s: Number(text) }, TYPING_MS);
            }}
          />
        )}
      </>
    );
  };
}
