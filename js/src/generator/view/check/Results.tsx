/** Results of checks: filtered, grouped, each with request, response, reason and fix. */

import type { Checks, Form, Row } from "../../checks.js";
import {
  Button,
  Chip,
  createCopy,
  duration,
  Fragment,
  Hint,
  h,
  Pre,
  SelectField,
  signal,
} from "../../lazy-exports.js";
import { createActions } from "../history/actions.js";
import { createOpenInVerify } from "../verify/Result.js";
import type { View } from "../view.js";

const TONES = { failed: "bad", warned: "warn", passed: "ok" } as const;
/** Failures come first. */
const ORDER = ["failed", "warned", "not_decided", "passed", "not_applicable"];
const FORMS: [Form, string][] = [
  ["json", "JSON"],
  ["junit", "JUnit"],
  ["markdown", "Markdown"],
  ["pytest", "pytest"],
  ["html", "HTML"],
];

const toneOf = (status: string) => TONES[status as keyof typeof TONES] ?? "plain";
const headersOf = (headers: readonly [string, string][]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n");

export function createResults(view: View, checks: Checks, again: (check: string) => void) {
  const { id } = view;
  const actions = createActions(view);
  const verify = createOpenInVerify(view, actions.failure);
  const copyCommand = createCopy(view, "command", () => checks.about()?.command ?? "");
  const hidden = signal<ReadonlySet<string>>(new Set());
  const group = signal<"status" | "area">("status");
  const open = signal("");
  const framework = signal("");
  const wordOf = (status: string) =>
    checks.catalog()?.statuses.find(([name]) => name === status)?.[1] ?? status;

  const numberOf = (rows: readonly Row[], status: string) => {
    const number = rows.filter((row) => row.status === status).length;
    return `${number} ${wordOf(status)}${status === "warned" && number !== 1 ? "s" : ""}`;
  };
  const toggle = (status: string) => {
    const next = new Set(hidden());
    if (!next.delete(status)) next.add(status);
    hidden.set(next);
  };

  const bar = (rows: readonly Row[]) => (
    <div class="hw-row hw-check-tools">
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of form fields */}
      <span class="hw-row" role="group" aria-label="Filter by status">
        {ORDER.map((status) => (
          <button
            key={status}
            type="button"
            class="hw-btn"
            aria-pressed={!hidden().has(status)}
            onClick={() => toggle(status)}
          >
            {numberOf(rows, status)}
          </button>
        ))}
      </span>
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
  );

  const source = (text: string) =>
    /^https?:\/\/\S+$/.test(text) ? (
      <a href={text} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    ) : (
      text
    );

  const detail = (row: Row) => {
    const { request, response, frameworks } = row;
    const chosen = frameworks.find(([name]) => name === framework()) ?? frameworks[0];
    const rest = request && request.body_length > request.body.length;
    return (
      <div class="hw-check-detail" id={id(`check-${row.id}`)}>
        {request && (
          <div class="hw-check-pair">
            <div>
              <h4>
                Request <span class="hw-dim">{request.label}</span>
              </h4>
              <Pre label={`Request of ${row.id}`}>
                {`${request.method} ${request.url}\n${headersOf(request.headers)}\n\n${request.body}`}
                {rest && ` … ${request.body_length.toLocaleString("en-US")} bytes`}
              </Pre>
            </div>
            {response && (
              <div>
                <h4>
                  Response <span class="hw-dim">{duration(response.elapsed_s)}</span>
                </h4>
                <Pre label={`Response of ${row.id}`}>
                  {response.status === null
                    ? response.error
                    : `${response.status}\n${headersOf(response.headers)}\n\n${response.body}`}
                </Pre>
              </div>
            )}
          </div>
        )}
        <div class="hw-check-pair">
          <div>
            <h4>Why it matters</h4>
            <p>{row.why}</p>
            <h4>Sources</h4>
            <ul class="hw-notes">
              {row.sources.map((text) => (
                <li key={text}>{source(text)}</li>
              ))}
            </ul>
          </div>
          <div>
            <h4>Fix</h4>
            <p>{row.change}</p>
            {chosen && (
              <>
                <SelectField
                  id={id("check-framework")}
                  label="Framework"
                  value={chosen[0]}
                  options={frameworks.map(([name]) => [name, name])}
                  onPick={framework.set}
                />
                <Pre label={`Change for ${chosen[0]}`}>{chosen[1]}</Pre>
              </>
            )}
          </div>
        </div>
        <div class="hw-row">
          <Button disabled={checks.running()} onClick={() => again(row.id)}>
            Run {row.id} again
          </Button>
          {row.sent && (
            <>
              <Button onClick={() => actions.copyCurl(row.id)}>Copy as curl</Button>
              <Button onClick={() => actions.openInEditor(row.id)}>Open in Generate</Button>
              <Button onClick={() => verify.open(row.id, row.sent, checks.about()?.of[0] ?? "")}>
                Open in Verify
              </Button>
            </>
          )}
        </div>
        {actions.failure() && <p class="hw-alert hw-bad">{actions.failure()}</p>}
      </div>
    );
  };

  const line = (row: Row) => {
    const isOpen = open() === row.id;
    return (
      <li key={row.id} class={isOpen ? `hw-check-open hw-${toneOf(row.status)}` : ""}>
        <button
          type="button"
          class="hw-check-line"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id(`check-${row.id}`) : undefined}
          onClick={() => open.set(isOpen ? "" : row.id)}
        >
          <Chip tone={toneOf(row.status)}>{wordOf(row.status)}</Chip>
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
        {isOpen && detail(row)}
      </li>
    );
  };

  /** Draws the shell command of the same run; it reads the secret from a variable. */
  const command = () => {
    const { command: text, lacks } = checks.about() ?? { command: "", lacks: [] };
    return (
      text && (
        <>
          <div class="hw-row hw-middle hw-check-command">
            <Pre label="Command of this run">{text}</Pre>
            {copyCommand()}
          </div>
          {lacks.length > 0 && <Hint>The command and the pytest file lack {lacks.join(", ")}.</Hint>}
        </>
      )
    );
  };

  return () => {
    const rows = checks.rows();
    if (rows.length === 0) return <p class="hw-empty">Results come here one by one, failures first.</p>;
    const shown = rows.filter(({ id, status }) => !hidden().has(status) && id.startsWith(checks.area()));
    const groups: [string, readonly Row[]][] =
      group() === "status"
        ? ORDER.map((status) => [wordOf(status), shown.filter((row) => row.status === status)])
        : (checks.catalog()?.areas ?? []).map(([area, title]) => [
            `${area}: ${title}`,
            shown.filter((row) => row.id[0] === area),
          ]);
    return (
      <>
        {bar(rows)}
        {/* biome-ignore lint/a11y: scrolls by itself, so the keyboard must reach it */}
        <div class="hw-check-rows" role="region" aria-label="Rows" tabIndex={0}>
          {groups
            .filter(([, members]) => members.length > 0)
            .map(([title, members]) => (
              <Fragment key={title}>
                <h4 class="hw-check-group">{title}</h4>
                <ul>{members.map(line)}</ul>
              </Fragment>
            ))}
        </div>
        {!checks.running() && checks.end() && !checks.end()?.error && (
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
