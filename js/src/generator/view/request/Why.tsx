/** Finds out why a receiver rejected a delivery: signed variants of its request, after a confirmation. */
import type { RpcError } from "../../../core/rpc.js";
import { Button, Chip, Fragment, Hint, h, nothing, signal } from "../../lazy-exports.js";
import { type Rejection, rejection, sentence } from "../../replies.js";
import type { Delivery } from "../../wire.js";
import { createFinding } from "../verify/DiagnosisReport.js";
import type { View } from "../view.js";
import { Confirm } from "./Confirm.js";

/** State of the search about one delivery. */
interface Search {
  n: number;
  busy: boolean;
  question: { host: string; text: string } | null;
  failure: string;
  result: Rejection | null;
}

/** `place` makes the ids unique. */
export function createWhy(view: View, place: string) {
  const { state, id } = view;
  const finding = createFinding((name) => id(`${place}-why-${name}`));
  const none: Search = { n: 0, busy: false, question: null, failure: "", result: null };
  const search = signal(none);

  const run = async (n: number, host: string | null) => {
    search.set({ ...none, n, busy: true });
    try {
      const { value } = await state.rpc.request("why", { n, confirmed_host: host }, rejection, {
        slow: true,
      });
      search.set({ ...none, n, result: value });
      state.say(sentence(value.reason));
    } catch (error) {
      const { code, message, host } = error as RpcError;
      const question = code === "confirm_host" ? { host, text: message } : null;
      search.set({ ...none, n, question, failure: question ? "" : message });
      state.say(message);
    }
  };
  const stop = () => void state.rpc.request("check_stop", {}, nothing).catch(() => {});

  const outcome = ({ explained, reason, finding: cause, lacks, probes }: Rejection) => (
    <>
      {cause ? (
        <ul class="hw-findings" aria-label="Cause of the rejection">
          {finding(cause, 0, false)}
        </ul>
      ) : (
        <p class="hw-line">
          <Chip tone="warn">Cause not found</Chip> {sentence(reason)}
        </p>
      )}
      {lacks && <Hint>{sentence(lacks)}.</Hint>}
      <details class="hw-details" open={!explained}>
        <summary>Requests that were sent ({probes.length})</summary>
        <table class="hw-table" aria-label="Requests that were sent">
          <tbody>
            {probes.map(({ title, observed, accepted }) => (
              <tr>
                <th scope="row">{title}</th>
                <td>
                  <Chip tone={accepted ? "ok" : "plain"}>{accepted ? "Accepted" : "Rejected"}</Chip>{" "}
                  {observed}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );

  return ({ n, verifiable, imported }: Delivery) => {
    if (!verifiable || imported) return null; // the widget did not send an imported request
    const { busy, question, failure, result } = search().n === n ? search() : none;
    return (
      <div class="hw-result hw-why">
        {question ? (
          <Confirm
            view={view}
            home=".hw-why"
            text={question.text}
            yes="Send them"
            onAnswer={(agreed) => (agreed ? run(n, question.host) : search.set(none))}
          />
        ) : (
          <p class="hw-line">
            <Button disabled={busy} onClick={() => run(n, null)}>
              Find out why…
            </Button>
            {busy ? (
              <>
                <progress class="hw-progress" aria-label="Sending signed variants" />
                <Button onClick={stop}>Stop</Button>
              </>
            ) : (
              <span class="hw-dim">Sends signed variants, and names the one that is accepted.</span>
            )}
          </p>
        )}
        {failure && <p class="hw-alert hw-bad">{sentence(failure)}</p>}
        {result && outcome(result)}
      </div>
    );
  };
}
