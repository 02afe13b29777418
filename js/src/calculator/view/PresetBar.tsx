/** Selectors of preset, algorithm and pattern, the comparison of all five algorithms, and the sweep. */
import { type ComponentChildren, Fragment, h } from "preact";
import { wordsOf } from "../../core/bytes.js";
import { errorOf } from "../../plot/view/Control.js";
import { Field, Lock } from "../../ui/controls.js";
import type { Frame } from "../wire.js";
import { TITLES, type View } from "./view.js";

type Entry = { id: string; title: string };
type Group = [label: string, entries: Entry[]];
type Name = "preset" | "algorithm" | "pattern";

const option = ({ id, title }: Entry) => (
  <option key={id} value={id}>
    {title}
  </option>
);

/** Published facts of a preset with their sources, assumptions, and changes. */
const Published = ({ id, facts }: { id: string; facts: Frame["preset"]["facts"] }) => (
  <p class="hw-hint hw-wide" id={id}>
    {facts.map(({ text, source, changed }) => (
      <Fragment key={text}>
        {changed ? <strong>{text}</strong> : text}{" "}
        {/* Presets are data that users can extend, so only http and https links are allowed. */}
        {/^https?:/.test(source) && (
          <>
            (
            <a href={source} target="_blank" rel="noopener noreferrer">
              Source
            </a>
            ){" "}
          </>
        )}
      </Fragment>
    ))}
  </p>
);

export function createPresetBar({ state, id }: View) {
  const select = (name: Name, groups: Group[], hint: ComponentChildren, pick: (value: string) => void) => {
    const value = state.inputs()[name];
    const wrong = errorOf(state, name);
    const known = groups.some(([, entries]) => entries.some((entry) => entry.id === value));
    return (
      <Field
        id={id(name)}
        label={TITLES[name]}
        locked={state.locked(name)}
        hint={wrong ? <span class="hw-bad">{wrong}</span> : hint}
      >
        <select
          id={id(name)}
          class="hw-input"
          value={value}
          disabled={state.fixed(name)}
          aria-invalid={!!wrong}
          aria-describedby={wrong || hint ? `${id(name)}-hint` : name === "preset" ? id("source") : undefined}
          onChange={(event) => pick(event.currentTarget.value)}
        >
          {!known && option({ id: value, title: wordsOf(value) || "Your own" })}
          {groups.map(([label, entries]) =>
            label && entries.length ? (
              <optgroup key={label} label={label}>
                {entries.map(option)}
              </optgroup>
            ) : (
              entries.map(option)
            ),
          )}
        </select>
      </Field>
    );
  };

  return () => {
    const { preset, algorithm, pattern, compare } = state.inputs();
    const { presets = [], algorithms = [], patterns = [] } = state.catalog() ?? {};
    const of = (kind: string) => presets.filter((each) => each.kind === kind);
    const noteOf = (all: (Entry & { note: string })[], value: string) =>
      all.find((each) => each.id === value)?.note;
    const published = state.frames.frame()?.preset;
    const customTraffic = !!state.catalog() && patterns.length === 0;
    const toggle = (name: string, label: string, pressed: boolean, act: () => void) => (
      <button
        type="button"
        class="hw-btn hw-toggle"
        aria-pressed={pressed}
        aria-disabled={state.fixed(name) || undefined}
        onClick={() => state.fixed(name) || act()}
      >
        {label}
        {state.locked(name) && <Lock />}
      </button>
    );
    return (
      <div class="hw-choose hw-calc-choose">
        {select(
          "preset",
          [
            ["", [{ id: "", title: "Your own" }]],
            ["Tiers", of("tier")],
            ["Published limits", of("api")],
          ],
          null,
          state.choose,
        )}
        {select("algorithm", [["", algorithms]], noteOf(algorithms, algorithm), (value) =>
          state.edit({ algorithm: value }),
        )}
        {select(
          "pattern",
          [["", customTraffic ? [{ id: pattern, title: "Your own" }] : patterns]],
          noteOf(patterns, pattern),
          (value) => state.edit({ pattern: value }),
        )}
        <div class="hw-toggles">
          {toggle("compare", "Compare all five", compare, () => state.edit({ compare: !compare }))}
          {toggle("sweep", "Sweep", state.sweep(), state.toggleSweep)}
        </div>
        {published?.id === preset && published.facts.length > 0 && (
          <Published id={id("source")} facts={published.facts} />
        )}
      </div>
    );
  };
}
