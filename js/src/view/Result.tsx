/** What came back from a delivery. The body is shown as text, never as HTML. */
import { count } from "../bytes.js";
import type { Delivery } from "../wire.js";
import { Chip, duration, shortHash } from "./ui.js";

/** Providers give a receiver about this long; slower answers are often counted as failures. */
const ADVICE_S = 5;

function Elapsed({ seconds }: { seconds: number }) {
  const scale = Math.max(seconds, 2 * ADVICE_S);
  const late = seconds > ADVICE_S;
  return (
    <span class="hw-elapsed">
      <span class={late ? "hw-meter hw-late" : "hw-meter"} aria-hidden="true">
        <i style={{ width: `${Math.max(1, (100 * seconds) / scale)}%` }} />
        <b style={{ left: `${(100 * ADVICE_S) / scale}%` }} />
      </span>
      <span>{duration(seconds)}</span>
      <span class={late ? "hw-warn" : "hw-dim"}>
        {late ? `slower than the advised ${ADVICE_S} s` : `advice: answer within ${ADVICE_S} s`}
      </span>
    </span>
  );
}

export function statusText({ status, reason, error }: Delivery): string {
  if (status === null) return error?.code ? "No answer" : reason || "No answer";
  return `${status} ${reason}`.trim();
}

export function Result({ record }: { record: Delivery }) {
  const { error, advice, level, elapsed_s, headers, body_text, body_length, body_truncated } = record;
  return (
    <div class="hw-result">
      <p class="hw-line">
        <Chip tone={level}>{statusText(record)}</Chip>
        <span>{error ? error.text : advice}</span>
      </p>
      <p class="hw-line">
        <Elapsed seconds={elapsed_s} />
        {record.sent_sha256 && (
          <span class="hw-facts" title={`sha256 ${record.sent_sha256}`}>
            sent sha256 {shortHash(record.sent_sha256)},{" "}
            {record.equal_to_payload ? (
              "equal to the payload"
            ) : (
              <span class="hw-warn">not the payload as it is now</span>
            )}
          </span>
        )}
      </p>
      {error && advice && <p class="hw-hint">{advice}</p>}
      {(body_text || record.status !== null) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre class="hw-pre hw-answer" tabIndex={0} aria-label="Body of the answer">
          {body_text || "(empty body)"}
        </pre>
      )}
      {body_truncated && (
        <p class="hw-hint">
          The answer is longer: only the beginning of {count(body_length, "byte")} is kept.
        </p>
      )}
      {headers.length > 0 && (
        <details class="hw-details">
          <summary>{count(headers.length, "header")} of the answer</summary>
          <table class="hw-table">
            <tbody>
              {headers.map(([name, value], i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: header names may repeat
                <tr key={i}>
                  <th scope="row">{name}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}
