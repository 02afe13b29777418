/** Results of checks, filtered and grouped. */

import { Pre } from "../../../ui/output.js";
import type { Checks, Form, Row } from "../../checks.js";
import {
  Button,
  Chip,
  createCopy,
  duration,
  Fragment,
  Hint,
  h,
  SelectField,
  signal,
} from "../../lazy-exports.js";
import { Toggles } from "../parts.js";
import type { View } from "../view.js";
import { createRowDetails } from "./RowDetails.js";
import { groupRows, numberOf, ORDER, toneOf, wordOf } from "./rows.js";

const FORMS: [Form, string][] = [
  ["json", "JSON"],
  ["junit", "JUnit"],
  ["markdown", "Markdown"],
  ["pytest", "pytest"],
  ["html", "HTML"],
];

export function createResults(view: View, checks: Checks, again: (check: string) => void) {
  const { catalog } = checks;
  const filters = createFilters(view, checks);
  const line = createLine(view, checks, again);
  const command = createCommand(view, checks);
  return () => {
    if (checks.rows().length === 0)
      return <p class="hw-empty">Results come here one by one, failures first.</p>;
    return (
      <>
        {filters.draw()}
        {/* biome-ignore lint/a11y: scrolls by itself, so the keyboard must reach it */}
        <div class="hw-check-rows" role="region" aria-label="Rows" tabIndex={0}>
          {groupRows(catalog(), filters.shown(), filters.group()).map(([title, members]) => (
            <Fragment key={title}>
              <h4 class="hw-check-group">{title}</h4>
              <ul>{members.map(line)}</ul>
            </Fragment>
          ))}
        </div>
        {!checks.running() && checks.end()?.error === "" && (
          <div class="hw-row hw-middle">
            <span class="hw-hint">Save as</span>
            {FORMS.map(([form, title]) => (
              <Button key={form} onClick={() => checks.save(form)}>
                {title}
              </Button>
            ))}
          </div>
        )}
        {command()}
      </>
    );
  };
}

/** Filter by status, and the grouping. */
function createFilters({ id }: View, checks: Checks) {
  const hidden = signal<readonly string[]>([]);
  const group = signal<"status" | "area">("status");
  const toggle = (status: string) => {
    const others = hidden().filter((each) => each !== status);
    hidden.set(others.length < hidden().length ? others : [...others, status]);
  };
  return {
    group,
    shown: () =>
      checks.rows().filter(({ id, status }) => !hidden().includes(status) && id.startsWith(checks.area())),
    draw: () => (
      <div class="hw-row hw-check-tools">
        <Toggles
          label="Filter by status"
          buttons={ORDER.map((status) => [
            status,
            numberOf(checks.catalog(), checks.rows(), status),
            !hidden().includes(status),
          ])}
          onPress={toggle}
        />
        <span class="hw-right">
          <SelectField
            id={id("check-group")}
            label="Group by"
            value={group()}
            options={[
              ["status", "Status"],
              ["area", "Area"],
            ]}
            onPick={group.set}
          />
        </span>
      </div>
    ),
  };
}

/** A row, and its details if it is open. */
function createLine(view: View, checks: Checks, again: (check: string) => void) {
  const open = signal("");
  const details = createRowDetails(view, checks, again);
  return (row: Row) => {
    const isOpen = open() === row.id;
    return (
      <li key={row.id} class={isOpen ? `hw-check-open hw-${toneOf(row.status)}` : ""}>
        <button
          type="button"
          class="hw-check-line"
          aria-expanded={isOpen}
          aria-controls={isOpen ? view.id(`check-${row.id}`) : undefined}
          onClick={() => open.set(isOpen ? "" : row.id)}
        >
          <Chip tone={toneOf(row.status)}>{wordOf(checks.catalog(), row.status)}</Chip>
          <b class="hw-mono">{row.id}</b>
          <span class="hw-check-title">
            {row.title}
            <span class="hw-dim">
              {row.expected} <span class="hw-offscreen">Observed:</span>
              <span class="hw-check-observed">{row.observed}</span>
            </span>
          </span>
          <span class="hw-dim">{row.severity}</span>
          <span class="hw-dim hw-check-time">{duration(row.elapsed_s)}</span>
        </button>
        {isOpen && details(row)}
      </li>
    );
  };
}

/** The shell command of the same run; it reads the secret from a variable. */
function createCommand(view: View, checks: Checks) {
  const copy = createCopy(view, "command", () => checks.about()?.command ?? "");
  return () => {
    const { command = "", lacks = [] } = checks.about() ?? {};
    return (
      command && (
        <>
          <div class="hw-row hw-middle hw-check-command">
            <Pre label="Command of this run">{command}</Pre>
            {copy()}
          </div>
          {lacks.length > 0 && <Hint>The command and the pytest file lack {lacks.join(", ")}.</Hint>}
        </>
      )
    );
  };
}
