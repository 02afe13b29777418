/** Number of passed checks, in total and by area. */

import { type Checks, scoreOf } from "../../checks.js";
import { duration, Fragment, h } from "../../lazy-exports.js";

export function createScore(checks: Checks) {
  const total = () => {
    const { passed, applicable } = scoreOf(checks.rows());
    const { done, total } = checks.progress();
    if (checks.running()) {
      return (
        <div>
          <p class="hw-check-total">
            <b>{done}</b> of {total || "…"} done
          </p>
          <progress max={total || 1} value={done} aria-label="Progress of the checks" />
          {checks.waitSeconds() > 0 && (
            <p class="hw-hint">
              Waits {duration(checks.waitSeconds())}: a secret signs a limited number of requests in a minute.
            </p>
          )}
        </div>
      );
    }
    const end = checks.end();
    const others = checks.rows().length - applicable;
    return (
      <div>
        <p class="hw-check-total">
          <b>{passed}</b> of {applicable} passed
        </p>
        {end && (
          <p class="hw-hint">
            {duration(end.elapsed_s)}, {end.requests} requests. {others} of {checks.rows().length} do not
            apply. Not decided never counts as passed.
          </p>
        )}
        {end?.stopped && <p class="hw-alert hw-warn">The run ended early: {end.stopped}.</p>}
      </div>
    );
  };

  const area = ([letter, title]: [string, string]) => {
    const rows = checks.rows().filter(({ id }) => id[0] === letter);
    const words = checks.catalog()?.statuses ?? [];
    const counts = words.map(([status, word]) => ({
      status,
      word,
      number: rows.filter((row) => row.status === status).length,
    }));
    const present = counts.filter(({ number }) => number > 0);
    const { passed, applicable } = scoreOf(rows);
    const text = present.map(({ number, word }) => `${number} ${word}`).join(", ");
    return (
      rows.length > 0 && (
        <li key={letter}>
          <button
            type="button"
            aria-pressed={checks.area() === letter}
            onClick={() => checks.area.set(checks.area() === letter ? "" : letter)}
          >
            <b class="hw-mono">{letter}</b>
            <span>{title}</span>
            <span class="hw-check-figure">{applicable ? `${passed}/${applicable}` : "not applicable"}</span>
            <span class="hw-check-stack" role="img" aria-label={text} title={text}>
              {present.map(({ status, number }) => (
                <i key={status} class={`hw-check-${status}`} style={{ flex: number }} />
              ))}
            </span>
          </button>
        </li>
      )
    );
  };

  return () => {
    const needing = new Set(
      checks
        .catalog()
        ?.checks.filter(({ oracle }) => oracle)
        .map(({ id }) => id),
    );
    const undecided = checks.rows().filter(({ id, status }) => status === "not_decided" && needing.has(id));
    return (
      <>
        {checks.rows().length === 0 && !checks.running() ? (
          <div class="hw-check-fresh">
            <p>
              <b>Is my receiver right?</b>
            </p>
            <p class="hw-hint">
              Sends good, forged, stale, repeated and malformed requests, each bad one between two good ones.
              They do real work: use a test secret and a test database.
            </p>
          </div>
        ) : (
          total()
        )}
        {checks.rows().length > 0 && (
          <ol class="hw-check-areas" aria-label="Filter by area">
            {checks.catalog()?.areas.map(area)}
          </ol>
        )}
        {!checks.running() && undecided.length > 0 && (
          <p class="hw-hint">
            Not decided without an oracle, which counts the work: {undecided.map(({ id }) => id).join(", ")}.
          </p>
        )}
      </>
    );
  };
}
