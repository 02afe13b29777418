/** The versions, one per row: release, deprecation and removal dates, and the status at the selected date. */
import { h } from "preact";
import type { Pace } from "../../plot/state.js";
import { errorOf } from "../../plot/view/Control.js";
import { Button, Chip, Cross, Lock } from "../../ui/controls.js";
import { CELLS, type Cell, emptyRow, isEmpty, type Row, STABLE } from "../wire.js";
import { DateField } from "./DateField.js";
import { Entry } from "./Entry.js";
import { columnOf, rowName, type View } from "./view.js";

/** Columns in their order. */
const SHOWN: Cell[] = ["version", "stage", "released", "deprecated", "removed"];
const [DEPRECATED, BROWNOUTS] = [CELLS.indexOf("deprecated"), CELLS.indexOf("brownouts")];
const STAGES = [
  { id: STABLE, title: "Stable" },
  { id: "preview", title: "Preview" },
];

export function createVersions({ state, id, root }: View) {
  const cellId = (at: number, name: Cell) => id(`version-${at}-${name}`);
  /** After the next rendering. */
  const focus = (at: number, name: Cell = "version") =>
    setTimeout(() => root.querySelector<HTMLElement>(`[id="${cellId(at, name)}"]`)?.focus());
  const change = (versions: Row[], pace: Pace) => state.edit({ versions }, pace);

  const add = () => {
    const { versions } = state.inputs();
    change([...versions, emptyRow()], "type"); // not saved until the row has a text
    focus(versions.length);
  };
  const remove = (at: number) => {
    const { versions, version } = state.inputs();
    const remaining = versions.toSpliced(at, 1);
    // True if the removed version is the one whose headers are shown.
    const shown = version && rowName(version, 0) === rowName(versions[at]?.[0] ?? "", at);
    state.edit({ versions: remaining.length ? remaining : [emptyRow()], ...(shown && { version: "" }) });
    focus(Math.max(0, Math.min(at, remaining.length - 1)));
  };

  const drawRow = (row: Row, at: number, count: number) => {
    const fixed = state.fixed("versions");
    const rowLabel = rowName(row[0] ?? "", at);
    const frame = state.frames.frame();
    const versionStatus = frame?.versions.find((each) => each.row === at);
    const errors = CELLS.flatMap((name) => errorOf(state, `versions.${at}.${name}`) || []);
    const wrongRow = errorOf(state, `versions.${at}`);
    const cells = state.catalog()?.cells ?? [];
    const set = (name: Cell, text: string, pace: Pace) =>
      change(
        state.inputs().versions.with(
          at,
          row.map((old, i) => (CELLS[i] === name ? text : old)),
        ),
        pace,
      );
    const note = `${cellId(at, "version")}-note`;
    const advisories = versionStatus?.advisories ?? [];

    const draw = (name: Cell) => {
      const value = row[CELLS.indexOf(name)] ?? "";
      const title = columnOf(state, name);
      const wrong = !!errorOf(state, `versions.${at}.${name}`) || (name === "version" && !!wrongRow);
      // Derived values are part of the deprecation notice, so they need a deprecation date.
      const shown =
        row[CELLS.indexOf("deprecated")] && state.frames.fields()[`versions.${at}.${name}`]?.shown;
      const placeholder = shown || (cells.find((each) => each.name === name)?.placeholder ?? "");
      const common = {
        id: cellId(at, name),
        label: `${title}, ${rowLabel}`,
        value,
        fixed,
        wrong,
        placeholder,
        described: wrong ? note : "",
        onText: (text: string, pace: Pace) => set(name, text, pace),
        onSettle: state.settle,
      };
      const field =
        name === "stage" ? (
          <select
            id={common.id}
            class="hw-input"
            aria-label={common.label}
            aria-invalid={wrong || undefined}
            aria-describedby={common.described || undefined}
            disabled={fixed}
            value={value}
            onChange={(event) => set(name, event.currentTarget.value, "now")}
          >
            {(state.catalog()?.stages ?? STAGES).map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
        ) : name === "brownouts" ? (
          <Entry
            {...common}
            placeholder={placeholder}
            help={cells.find((each) => each.name === name)?.help}
          />
        ) : name === "version" ? (
          <Entry {...common} placeholder={placeholder || `${at + 1}`} />
        ) : (
          <DateField {...common} />
        );
      return (
        <div key={name} class={`hw-cell ${name === "brownouts" ? "hw-brownouts" : ""}`}>
          <span aria-hidden="true">{title}</span>
          {field}
        </div>
      );
    };

    return (
      // biome-ignore lint/a11y/useSemanticElements: a row of fields, each with a name of its own
      <div key={at} class="hw-version" role="group" aria-label={rowLabel}>
        {SHOWN.map(draw)}
        {(row[DEPRECATED] || row[BROWNOUTS]) && draw("brownouts")}
        <div class={`hw-standing ${state.frames.fresh() ? "" : "hw-stale"}`}>
          {versionStatus && !state.frames.error() && (
            <Chip tone={versionStatus.level}>{versionStatus.status}</Chip>
          )}
        </div>
        {!fixed && (
          <button
            type="button"
            class="hw-btn hw-quiet hw-remove"
            aria-label={`Remove ${rowLabel}`}
            aria-disabled={(count === 1 && isEmpty(row)) || undefined}
            onClick={() => remove(at)}
          >
            <Cross />
          </button>
        )}
        {(errors.length > 0 || wrongRow) && (
          <p id={note} class="hw-hint hw-note hw-bad">
            {[wrongRow, ...errors].filter(Boolean).join(" ")}
          </p>
        )}
        {!state.frames.error() &&
          advisories.map((advisory) => (
            <p key={advisory} class="hw-hint hw-note hw-advisory">
              {advisory}
            </p>
          ))}
      </div>
    );
  };

  return () => {
    const { versions } = state.inputs();
    const wrong = errorOf(state, "versions");
    return (
      <section class="hw-section hw-versions" aria-labelledby={id("versions")}>
        <div class="hw-head">
          <h3 id={id("versions")}>Versions</h3>
          {state.locked("versions") && <Lock />}
          <div class="hw-right">{!state.fixed("versions") && <Button onClick={add}>Add version</Button>}</div>
        </div>
        {versions.map((row, at) => drawRow(row, at, versions.length))}
        {wrong && <p class="hw-alert hw-bad">{wrong}</p>}
      </section>
    );
  };
}
