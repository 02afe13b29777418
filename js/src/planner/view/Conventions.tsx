/** Settings of all versions: name and location of the API, and the notice period. */
import { h } from "preact";
import { signal } from "../../core/signals.js";
import { errorOf, Meanings } from "../../plot/view/Control.js";
import { Field, Select } from "../../ui/controls.js";
import { CELLS } from "../wire.js";
import { Entry } from "./Entry.js";
import { labelOf, type View } from "./view.js";

const ABOVE = [
  "name",
  "months",
  "zone",
  "holidays",
  "headers_begin",
  "warn",
  "brownout_response",
  "migration_guide",
] as const;
const BELOW = ["base_url", "prefix", "vendor"] as const;
/** Inputs whose help is always visible: without them, parts of the outputs are silently left out. */
const EXPLAINED: readonly string[] = ["migration_guide"];
type Name = (typeof ABOVE)[number] | (typeof BELOW)[number];

export function createConventions({ state, id }: View) {
  const open = signal(false);
  const draw = (name: Name) => {
    const field = state.catalog()?.fields.find((each) => each.name === name);
    const wrong = errorOf(state, name);
    const { note = "", shown = "" } = state.frames.fields()[name] ?? {};
    const help = EXPLAINED.includes(name) && field?.help;
    const under = wrong || note || help;
    const value = state.inputs()[name];
    const choices = field?.choices.map(({ id, title }): [id: string, title: string] => [id, title]) ?? [];
    const known = !value || choices.some(([choice]) => choice === value);
    const described = [under && `${id(name)}-hint`, field?.help && `${id(name)}-help`]
      .filter(Boolean)
      .join(" ");
    const list = name === "zone" ? id("zones") : undefined;
    return (
      <Field
        key={name}
        id={id(name)}
        label={labelOf(state, name)}
        locked={state.locked(name)}
        hint={under && <span class={wrong ? "hw-bad" : note && "hw-advisory"}>{under}</span>}
      >
        {choices[0] ? (
          <Select
            id={id(name)}
            value={value || choices[0][0]}
            disabled={state.fixed(name)}
            title={field?.help}
            aria-invalid={!!wrong || undefined}
            aria-describedby={described}
            options={known ? choices : [[value, value], ...choices]}
            onPick={(text) => state.edit({ [name]: text })}
          />
        ) : (
          <Entry
            id={id(name)}
            value={value}
            placeholder={shown || field?.placeholder}
            fixed={state.fixed(name)}
            wrong={!!wrong}
            described={described}
            help={field?.help}
            list={list}
            onText={(text, pace) => state.edit({ [name]: text }, pace)}
            onSettle={state.settle}
          />
        )}
        {list && (
          <datalist id={list}>
            {state.catalog()?.zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        )}
      </Field>
    );
  };

  /** The response during brownouts matters only if there are some. */
  const drawn = (name: Name) =>
    name !== "brownout_response" || state.inputs().versions.some((row) => row[CELLS.indexOf("brownouts")]);

  return () => {
    const { base_url, prefix, vendor } = state.inputs();
    const summary = [`${base_url}${prefix}`, vendor && `vendor ${vendor}`].filter(Boolean).join(", ");
    const wrong = BELOW.some((name) => errorOf(state, name));
    return (
      <div class="hw-choose hw-plan-choose">
        {ABOVE.filter(drawn).map(draw)}
        <details
          class="hw-details"
          open={open() || wrong}
          onToggle={(event) => open.set(event.currentTarget.open)}
        >
          <summary>
            URLs, links and field descriptions <span class="hw-mono">{summary}</span>
          </summary>
          <div class="hw-plan-choose">{BELOW.map(draw)}</div>
          <Meanings id={id} fields={state.catalog()?.fields ?? []} />
        </details>
      </div>
    );
  };
}
