/** Result of a verification: detected provider, detail and steps. */
import type { VNode } from "preact";
import { Button, Chip, Hint, h } from "../../lazy-exports.js";
import { type Diagnosis, sentence, type Verdict } from "../../replies.js";
import type { Delivery } from "../../wire.js";

export function VerdictChip({ ok }: { ok: boolean }) {
  return <Chip tone={ok ? "ok" : "bad"}>{ok ? "Valid" : "Invalid"}</Chip>;
}

export function Detail({ verdict: { ok, detail } }: { verdict: Verdict }) {
  return <p class={`hw-alert ${ok ? "hw-ok" : "hw-bad"}`}>{sentence(detail)}</p>;
}

/** The answer to a valid request that its receiver rejected, with the next steps. */
export function ValidYetRejected({
  record,
  pasteBody,
  why,
}: {
  record: Delivery;
  pasteBody: () => void;
  why: (record: Delivery) => VNode | null;
}) {
  const { status, reason, own, quote } = record;
  return (
    <div class="hw-result">
      <p class="hw-alert hw-warn">
        Valid as sent, yet the receiver answered {status} {reason}.
      </p>
      {own.map((cause) => (
        <p>{cause}</p>
      ))}
      {quote && <p>The receiver says: “{quote}”</p>}
      <Hint>So the receiver changed the body before verifying, or has another secret or clock.</Hint>
      <div class="hw-row">
        <Button onClick={pasteBody}>Paste the body that it saw</Button>
      </div>
      {why(record)}
    </div>
  );
}

export function Steps({ steps }: { steps: Verdict["steps"] }) {
  return (
    <ol class="hw-steps" aria-label="Checks">
      {steps.map(({ label, ok, text }) => (
        <li class="hw-step">
          <Chip tone={ok === null ? "plain" : ok ? "ok" : "bad"}>
            {ok === null ? "Skipped" : ok ? "Passed" : "Failed"}
          </Chip>
          <span>
            {text ? `${label}: ` : label}
            <span class="hw-dim">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Progress of a diagnosis, from 0 to 1. */
export function Progress({ done }: { done: number }) {
  const share = Math.round(100 * done);
  return (
    <p class="hw-line">
      <progress class="hw-progress" aria-label="Diagnosing" max={100} value={share || undefined} />
      Diagnosing{share > 0 && `, ${share}%`}…
    </p>
  );
}

/** The provider that was detected from the headers, and other candidates. */
export function Detected({ provider, detected }: Diagnosis) {
  const titles = detected.map(({ title }) => title);
  const first = detected.find(({ id }) => id === provider)?.title;
  return (
    <p class="hw-line">
      <Chip tone={first ? "ok" : "warn"}>{first ? `Detected: ${first}` : "Not detected"}</Chip>
      {titles.length > 1 && (
        <span class="hw-dim">Also possible: {titles.filter((title) => title !== first).join(", ")}.</span>
      )}
      {!first && "No known provider sends these headers. Select one above."}
    </p>
  );
}
