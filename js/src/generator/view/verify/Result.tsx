/** Response to a delivery. The body is shown as text, never as HTML. */

import type { ComponentChildren } from "preact";
import { HeaderTable } from "../../../ui/output.js";
import { createAttempts } from "../../attempts.js";
import { Button, Chip, clockTime, count, duration, Hint, h, shortHash, signal } from "../../lazy-exports.js";
import { asSent, sentence } from "../../replies.js";
import type { Delivery } from "../../wire.js";
import { BodyText } from "../BodyText.js";
import type { View } from "../view.js";

/** Recommended response time in seconds, where the provider's own limit is unknown. */
const ADVICE_S = 5;

/** Time limit of a provider, as itself and each delivery have it. */
type Limit = { within_s: number | null; title: string };

/** Draws how long a response takes, beside the limit of its provider. */
export function Elapsed({ seconds, of }: { seconds: number; of: Limit | null | undefined }) {
  const own = of?.within_s;
  const limit = own ?? ADVICE_S;
  const scale = Math.max(seconds, 2 * limit) / 100;
  const late = seconds > limit;
  return (
    <span class="hw-elapsed">
      <span class={`hw-meter ${late ? "hw-late" : ""}`} aria-hidden="true">
        <i style={{ width: `${Math.max(1, seconds / scale)}%` }} />
        <b style={{ left: `${limit / scale}%` }} />
      </span>
      <span>{duration(seconds)}</span>
      <span class={late ? "hw-warn" : "hw-dim"}>
        {late && (own ? "too late: " : "slow: ")}
        {own ? `${of.title} waits` : "providers expect a reply within"} {limit} s
      </span>
    </span>
  );
}

/** Returns status and reason of a response, or why there is none. */
export const statusText = ({ status, reason, error }: Delivery) =>
  error?.code === "stopped" ? "Stopped" : status === null ? "No response" : `${status} ${reason}`;

/** Chip of a response; for a faulty request, a rejection is the good result. */
export function StatusChip({ record }: { record: Delivery }) {
  const { level, fault, assessment } = record;
  const expected = assessment?.ok ? "ok" : assessment?.ok === null ? "warn" : "bad";
  return <Chip tone={fault ? expected : level}>{statusText(record)}</Chip>;
}

/** Opens the request of a delivery or of a check in Verify, as it was sent. */
export function createOpenInVerify({ state, id, root, panel, toVerify }: View, shown = signal("")) {
  const { failure, attempt } = createAttempts(state.say, shown);
  const open = (n: number | string, at: string, provider: string, record?: Delivery) =>
    attempt(async () => {
      const { value, buffers } = await state.rpc.request("as_sent", { n }, asSent);
      const body = buffers[0] ?? new Uint8Array();
      const name = typeof n === "string" ? `Check ${n}` : `Delivery #${n}`;
      const origin = `${name} as ${record?.imported ? "imported" : "sent"}`;
      const rejected = record?.verifiable ? record : null;
      toVerify.set({ ...value, body, provider, at, name, origin, rejected });
      panel.set("verify");
      root.querySelector<HTMLElement>(`#${id("panel")}-verify-tab`)?.focus();
    });
  return { open, failure };
}

/**
 * Creates a button that opens the request of a rejected delivery in Verify; with `any`, of any delivery that can be
 * shown.
 */
export function createVerifyRequest(view: View, any = false) {
  const { open, failure } = createOpenInVerify(view);
  return (record: Delivery) =>
    (any ? !record.reveals_secret : record.verifiable) && (
      <p class="hw-line">
        <Button onClick={() => open(record.n, record.at, record.provider, record)}>
          Verify this request
        </Button>
        {failure() && <span class="hw-bad">{failure()}</span>}
      </p>
    );
}

type Props = {
  record: Delivery;
  /** Draws the next steps. */
  verify: (record: Delivery) => ComponentChildren;
  /** Leaves out body and headers, which are shown elsewhere. */
  brief?: boolean;
};

export function Result({ record, verify, brief }: Props) {
  const { error, answer, advice, quote, own, headers, body_text, body_length, sent_sha256, status } = record;
  const meaning = record.fault ? `${record.assessment?.text}.` : advice;
  return (
    <div class="hw-result">
      <p class="hw-line">
        <StatusChip record={record} />
        <span>
          {record.fault && <Chip>{record.fault}</Chip>} {!record.fault && own.join(" ")}
          {quote && ` The receiver says: “${quote}” `}
          {sentence(error?.text ?? meaning ?? "")}
        </span>
        <span class="hw-dim">
          #{record.n}, {clockTime(record.at)}
        </span>
      </p>
      <p class="hw-line">
        <Elapsed seconds={record.elapsed_s} of={record} />
        {sent_sha256 && (
          <span class="hw-facts" title={`sha256 ${sent_sha256}`}>
            sent sha256 {shortHash(sent_sha256)},{" "}
            {record.equal_to_payload ? "same as payload" : <span class="hw-warn">differs from payload</span>}
          </span>
        )}
      </p>
      {answer && (
        <p class="hw-line">
          <Chip tone={answer.ok ? "ok" : "bad"}>{answer.ok ? "Handshake passed" : "Handshake failed"}</Chip>
          <span>{answer.detail}</span>
        </p>
      )}
      {verify(record)}
      {error && advice && <Hint>{advice}</Hint>}
      {status !== null && !brief && <BodyText label="Response body" text={body_text} />}
      {record.body_truncated && <Hint>Truncated: the response is {count(body_length, "byte")} long.</Hint>}
      {headers.length > 0 && !brief && (
        <details class="hw-details">
          <summary>Response headers ({headers.length})</summary>
          <HeaderTable rows={headers.map(([name, value]) => ({ name, value }))} />
        </details>
      )}
    </div>
  );
}
