/** The versions, one per row: release, deprecation and removal dates, and the status at the selected date. */
import { h } from "preact";
import type { Pace } from "../../plot/state.js";
import { errorOf } from "../../plot/view/Control.js";
import { staleness } from "../../plot/view/Picture.js";
import { Button, Chip, Cross, Lock, Select } from "../../ui/controls.js";
import { removeRow } from "../state.js";
import { CELLS, type Cell, emptyRow, isEmpty, type Row, rowName, STABLE } from "../wire.js";
import { DateField } from "./DateField.js";
import { Entry } from "./Entry.js";
import { columnOf, type View } from "./view.js";

/** Columns in their order. */
const SHOWN: Cell[] = ["version", "stage", "released", "deprecated", "removed"];
const [DEPRECATED, BROWNOUTS] = [CELLS.indexOf("deprecated"), CELLS.indexOf("brownouts")];
const STAGES = [
  { id: STABLE, title: "Stable" },
  { id: "preview", title: "Preview" },
];

export function createVersions(view: View) {
  const { state, id, root } = view;
  /** After the next rendering. */
  const focus = (at: number) =>
    setTimeout(() => root.querySelector<HTMLElement>(`[id="${id(`version-${at}-version`)}"]`)?.focus());
  const add = () => {
    const { versions } = state.inputs();
    state.edit({ versions: [...versions, emptyRow()] }, "type"); // not saved until the row has a text
    focus(versions.length);
  };
  const drawRow = createRow(view, (at) => focus(removeRow(state, at)));
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

/** A version: its fields, its status, and what is wrong with it. */
function createRow(view: View, remove: (at: number) => void) {
  const { state, id } = view;
  const cell = createCell(view);
  return (row: Row, at: number, count: number) => {
    const name = rowName(row[0] ?? "", at);
    const valid = !state.frames.error();
    const version = state.frames.frame()?.versions.find((each) => each.row === at);
    const errors = [`versions.${at}`, ...CELLS.map((cell) => `versions.${at}.${cell}`)]
      .map((field) => errorOf(state, field))
      .filter(Boolean);
    return (
      // biome-ignore lint/a11y/useSemanticElements: a row of fields, each with a name of its own
      <div key={at} class="hw-version" role="group" aria-label={name}>
        {SHOWN.map((name) => cell(name, row, at))}
        {(row[DEPRECATED] || row[BROWNOUTS]) && cell("brownouts", row, at)}
        <div class={`hw-standing ${staleness(state)}`}>
          {version && valid && <Chip tone={version.level}>{version.status}</Chip>}
        </div>
        {!state.fixed("versions") && (
          <button
            type="button"
            class="hw-btn hw-quiet hw-remove"
            aria-label={`Remove ${name}`}
            aria-disabled={(count === 1 && isEmpty(row)) || undefined}
            onClick={() => remove(at)}
          >
            <Cross />
          </button>
        )}
        {errors.length > 0 && (
          <p id={id(`version-${at}-version-note`)} class="hw-hint hw-note hw-bad">
            {errors.join(" ")}
          </p>
        )}
        {valid &&
          version?.advisories.map((advisory) => (
            <p key={advisory} class="hw-hint hw-note hw-advisory">
              {advisory}
            </p>
          ))}
      </div>
    );
  };
}

/** The field of one column, with its name above. */
function createCell({ state, id }: View) {
  return (name: Cell, row: Row, at: number) => {
    const column = CELLS.indexOf(name);
    const title = columnOf(state, name);
    const known = state.catalog()?.cells.find((each) => each.name === name);
    const wrong = [`versions.${at}.${name}`, ...(name === "version" ? [`versions.${at}`] : [])].some(
      (field) => errorOf(state, field),
    );
    // Derived values are part of the deprecation notice, so they need a deprecation date.
    const derived = row[DEPRECATED] && state.frames.fields()[`versions.${at}.${name}`]?.shown;
    const onText = (text: string, pace: Pace) =>
      state.edit({ versions: state.inputs().versions.with(at, row.with(column, text)) }, pace);
    const described = wrong ? id(`version-${at}-version-note`) : "";
    const common = {
      id: id(`version-${at}-${name}`),
      label: `${title}, ${rowName(row[0] ?? "", at)}`,
      value: row[column] ?? "",
      fixed: state.fixed("versions"),
      wrong,
      placeholder: derived || known?.placeholder || (name === "version" ? `${at + 1}` : ""),
      described,
      onText,
      onSettle: state.settle,
    };
    const stages = () => (
      <Select
        id={common.id}
        aria-label={common.label}
        aria-invalid={wrong || undefined}
        aria-describedby={described || undefined}
        disabled={common.fixed}
        value={common.value}
        options={(state.catalog()?.stages ?? STAGES).map(({ id, title }) => [id, title])}
        onPick={(stage) => onText(stage, "now")}
      />
    );
    return (
      <div key={name} class={`hw-cell ${name === "brownouts" ? "hw-brownouts" : ""}`}>
        <span aria-hidden="true">{title}</span>
        {name === "stage" ? (
          stages()
        ) : name === "version" || name === "brownouts" ? (
          <Entry {...common} help={name === "version" ? undefined : known?.help} />
        ) : (
          <DateField {...common} />
        )}
      </div>
    );
  };
}
