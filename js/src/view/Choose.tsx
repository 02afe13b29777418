/** The row that chooses: provider, event, version of the signature, clock. */

import type { Catalog, Clock } from "../wire.js";
import { Combobox, type Option } from "./Combobox.js";
import { useView } from "./context.js";
import { Field } from "./ui.js";

/** Providers under the kind they belong to; the neutral kind first, as the catalogue has them. */
export function providerOptions({ providers }: Catalog): Option[] {
  const kinds = new Map(providers.map(({ id, title }) => [id, title]));
  return providers
    .map(({ id, title, kind }) => ({
      id,
      label: title,
      group: kinds.get(kind) ?? kind,
      hint: id === kind ? "neutral" : "",
    }))
    .sort((a, b) => a.group.localeCompare(b.group) || Number(b.hint !== "") - Number(a.hint !== ""));
}

export function Choose() {
  const { state } = useView();
  const { provider, event, scheme } = state.inputs;
  const facts = state.provider.value;
  const events = (facts?.events ?? []).map(({ name, category, title }) => ({
    id: name,
    label: name,
    group: category,
    hint: title === name ? "" : title,
  }));
  return (
    <div class="hw-choose">
      <Combobox
        label="Provider"
        options={state.catalog.value ? providerOptions(state.catalog.value) : []}
        value={provider.value}
        locked={state.locked("provider")}
        onPick={(id) => {
          const first =
            state.catalog.value?.providers.find((entry) => entry.id === id)?.events[0]?.name ?? "";
          state.edit({ provider: id, event: first, scheme: "" });
        }}
      />
      <Combobox
        label="Event"
        mono
        options={events}
        value={event.value}
        locked={state.locked("event")}
        onPick={(name) => state.edit({ event: name })}
      />
      {facts && facts.schemes.length > 1 && (
        <Field label="Signature" locked={state.locked("scheme")}>
          {(ids) => (
            <select
              {...ids}
              class="hw-input"
              value={scheme.value}
              disabled={state.locked("scheme")}
              onChange={(change) => state.edit({ scheme: change.currentTarget.value })}
            >
              <option value="">As the event needs</option>
              {facts.schemes.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title || name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <ClockField />
    </div>
  );
}

/** An ISO time as a datetime-local field wants it, in UTC; empty when it cannot be read. */
function utcField(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(0, 19);
}

function ClockField() {
  const { state } = useView();
  const clock = state.inputs.clock.value;
  const locked = state.locked("clock");
  const set = (change: Partial<Clock>, delay = 0) => {
    const { mode, at, offset_s } = { ...clock, ...change };
    const wire = mode === "fixed" ? { mode, at } : mode === "offset" ? { mode, offset_s } : { mode };
    state.edit({ clock: wire as Clock }, delay);
  };
  return (
    <>
      <Field label="Clock" locked={locked}>
        {(ids) => (
          <select
            {...ids}
            class="hw-input"
            value={clock.mode}
            disabled={locked}
            onChange={({ currentTarget }) => {
              const mode = currentTarget.value as Clock["mode"];
              const at = clock.at || state.draft.value?.at || new Date().toISOString();
              set({ mode, at, offset_s: clock.offset_s || -300 });
            }}
          >
            <option value="now">Now, at sending</option>
            <option value="fixed">Fixed time</option>
            <option value="offset">Now plus an offset</option>
          </select>
        )}
      </Field>
      {clock.mode === "fixed" && (
        <Field label="Time (UTC)">
          {(ids) => (
            <input
              {...ids}
              class="hw-input"
              type="datetime-local"
              step="1"
              readOnly={locked}
              value={utcField(clock.at)}
              onChange={({ currentTarget }) => currentTarget.value && set({ at: `${currentTarget.value}Z` })}
            />
          )}
        </Field>
      )}
      {clock.mode === "offset" && (
        <Field label="Offset in seconds">
          {(ids) => (
            <input
              {...ids}
              class="hw-input hw-short"
              type="number"
              step="any"
              readOnly={locked}
              value={clock.offset_s}
              onInput={({ currentTarget }) => {
                const seconds = currentTarget.valueAsNumber;
                if (Number.isFinite(seconds)) set({ offset_s: seconds }, 250);
              }}
            />
          )}
        </Field>
      )}
    </>
  );
}
