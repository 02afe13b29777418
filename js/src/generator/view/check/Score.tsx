/** Number of passed checks, in total and by area. */

import { type Checks, scoreOf } from "../../checks.js";
import { duration, Fragment, Hint, h } from "../../lazy-exports.js";

/** Progress of a run, or its result. */
function Total({ checks }: { checks: Checks }) {
  const { passed, applicable } = scoreOf(checks.rows());
  const { done, total } = checks.progress();
  const end = checks.end();
  const all = checks.rows().length;
  if (checks.running()) {
    return (
      <div>
        <p class="hw-check-total">
          <b>{done}</b> of {total || "…"} done
        </p>
        <progress max={total || 1} value={done} aria-label="Progress of the checks" />
        {checks.waitSeconds() > 0 && (
          <Hint>
            Waits {duration(checks.waitSeconds())}: a secret signs a limited number of requests in a minute.
          </Hint>
        )}
      </div>
    );
  }
  return (
    <div>
      <p class="hw-check-total">
        <b>{passed}</b> of {applicable} passed
      </p>
      {end && (
        <Hint>
          {duration(end.elapsed_s)}, {end.requests} requests. {all - applicable} of {all} do not apply. Not
          decided never counts as passed.
        </Hint>
      )}
      {end?.stopped && <p class="hw-alert hw-warn">The run ended early: {end.stopped}.</p>}
    </div>
  );
}

/** Score of an area; a button that shows only its rows. */
function Area({ checks, letter, title }: { checks: Checks; letter: string; title: string }) {
  const rows = checks.rows().filter(({ id }) => id[0] === letter);
  if (rows.length === 0) return null;
  const present = (checks.catalog()?.statuses ?? [])
    .map(([status, word]) => ({ status, word, number: rows.filter((row) => row.status === status).length }))
    .filter(({ number }) => number > 0);
  const { passed, applicable } = scoreOf(rows);
  const text = present.map(({ number, word }) => `${number} ${word}`).join(", ");
  const chosen = checks.area() === letter;
  return (
    <li>
      <button type="button" aria-pressed={chosen} onClick={() => checks.area.set(chosen ? "" : letter)}>
        <b class="hw-mono">{letter}</b>
        <span>{title}</span>
        <span class="hw-check-figure">{applicable ? `${passed}/${applicable}` : "not applicable"}</span>
        <span class="hw-check-stack" role="img" aria-label={text} title={text}>
          {present.map(
            ({ status, number }) =>
              status !== "not_applicable" && (
                <i key={status} class={`hw-check-${status}`} style={{ flex: number }} />
              ),
          )}
        </span>
      </button>
    </li>
  );
}

export function Score({ checks }: { checks: Checks }) {
  const rows = checks.rows();
  const needing = checks.catalog()?.checks.filter(({ oracle }) => oracle);
  const undecided = rows.filter(
    (row) => row.status === "not_decided" && needing?.some(({ id }) => id === row.id),
  );
  return (
    <>
      {rows.length === 0 && !checks.running() ? (
        <div class="hw-check-fresh">
          <p>
            <b>Is my receiver right?</b>
          </p>
          <Hint>
            Sends good, forged, stale, repeated and malformed requests, each bad one between two good ones.
            They do real work: use a test secret and a test database.
          </Hint>
        </div>
      ) : (
        <Total checks={checks} />
      )}
      {rows.length > 0 && (
        <ol class="hw-check-areas" aria-label="Filter by area">
          {checks.catalog()?.areas.map(([letter, title]) => (
            <Area key={letter} checks={checks} letter={letter} title={title} />
          ))}
        </ol>
      )}
      {!checks.running() && undecided.length > 0 && (
        <Hint>
          Not decided without an oracle, which counts the work: {undecided.map(({ id }) => id).join(", ")}.
        </Hint>
      )}
    </>
  );
}
