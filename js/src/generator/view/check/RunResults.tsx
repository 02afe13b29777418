/** Results of a run: a table of events and faults, and the response of one delivery. */
import type { ComponentChildren } from "preact";
import { isUnexpected, sendAgain } from "../../batch.js";
import { Button, Chip, count, duration, Fragment, h, signal } from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import type { Sender, Step } from "../../sending.js";
import type { Fault } from "../../wire.js";
import { createActions } from "../history/actions.js";
import { breakable, Failure } from "../parts.js";
import { createVerifyRequest, Result, statusText } from "../verify/Result.js";
import type { View } from "../view.js";

export function createRunResults(view: View) {
  const { sender, id } = view;
  const actions = createActions(view);
  const verify = createVerifyRequest(view, true);
  /** Number of the delivery whose response is shown below the table. */
  const open = signal(0);

  const cell = ({ progress, delivery, failure, fault }: Step) => {
    const { ok, text } = delivery?.assessment ?? { ok: null, text: "" };
    const tone = delivery ? (ok === null ? "warn" : ok ? "ok" : "bad") : "plain";
    const status = delivery ? statusText(delivery) : progress;
    const chip = <Chip tone={progress === "Not sent" ? "bad" : tone}>{status}</Chip>;
    const isOpen = delivery?.n === open();
    return (
      <>
        {delivery ? (
          <Button
            look="quiet"
            expanded={isOpen}
            controls={id("run-response")}
            onClick={() => open.set(isOpen ? 0 : delivery.n)}
          >
            {chip}
          </Button>
        ) : (
          chip
        )}
        <span class={ok === false ? "hw-bad" : "hw-dim"}>
          {delivery && `${duration(delivery.elapsed_s)}, `}
          {(ok ? "as expected" : text) || sentence(failure) || `expect ${fault?.expected ?? "2xx"}`}
        </span>
      </>
    );
  };

  const response = (steps: readonly Step[]) => {
    const step = steps.find(({ delivery }) => delivery?.n === open());
    if (!step?.delivery) return null;
    const { n } = step.delivery;
    return (
      <section id={id("run-response")} class="hw-run-response" aria-label={`Response ${n}`}>
        <p>
          <b class="hw-mono">{step.event}</b> {step.fault?.title ?? "Valid"}
        </p>
        <Result record={step.delivery} verify={verify} />
        <div class="hw-row">{actions.buttons(n)}</div>
        <Failure text={actions.failure()} />
      </section>
    );
  };

  return (steps: readonly Step[]) => (
    <>
      <Summary sender={sender} steps={steps} />
      {/* biome-ignore lint/a11y: scrolls by itself, so the keyboard must reach it */}
      <div class="hw-scroll" role="region" aria-label="Table of results" tabIndex={0}>
        <Table steps={steps} cell={cell} />
      </div>
      {response(steps)}
    </>
  );
}

/** Number of expected responses, and a button that repeats the others. */
function Summary({ sender, steps }: { sender: Sender; steps: readonly Step[] }) {
  const sent = steps.filter(({ delivery }) => delivery);
  const expected = sent.filter(({ delivery }) => delivery?.assessment?.ok);
  const unexpected = steps.filter(isUnexpected).length;
  return (
    <div class="hw-row hw-middle">
      {sender.running() && (
        <progress class="hw-progress" aria-label="Sent" max={steps.length} value={sent.length} />
      )}
      <p>
        {expected.length} of {count(sent.length, "response")} as expected
        {sent.length < steps.length && `, ${steps.length - sent.length} not sent`}
      </p>
      {unexpected > 0 && !sender.running() && (
        <Button onClick={() => sendAgain(sender)}>Send the {unexpected} unexpected again</Button>
      )}
    </div>
  );
}

/** A row for each event of each round, a column for the valid request and for each fault. */
function Table({ steps, cell }: { steps: readonly Step[]; cell: (step: Step) => ComponentChildren }) {
  const faults = new Map<string, Fault | null>(steps.map(({ fault }) => [fault?.name ?? "", fault]));
  const rounds = Math.max(...steps.map(({ round }) => round));
  const rows = new Map<string, Step[]>();
  for (const step of steps) {
    const key = `${step.round} ${step.event}`;
    rows.set(key, [...(rows.get(key) ?? []), step]);
  }
  return (
    <table class="hw-table hw-run-results" aria-label="Results">
      <thead>
        <tr>
          <th scope="col">Event</th>
          {[...faults].map(([name, fault]) => (
            <th scope="col" key={name}>
              {fault?.title ?? "Valid"}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...rows].map(([key, cells]) => (
          <tr key={key}>
            <th scope="row" class="hw-mono">
              {breakable(cells[0]?.event ?? "")}
              {rounds > 1 && <span class="hw-dim"> #{cells[0]?.round}</span>}
            </th>
            {cells.map((step) => (
              <td key={step.fault?.name ?? ""} data-label={step.fault?.title ?? "Valid"}>
                {cell(step)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
