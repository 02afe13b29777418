/** Request and response of one history entry, loaded when it is opened; side by side, or stacked in a narrow view. */

import type { ComponentChildren } from "preact";
import { HeaderTable, Pre } from "../../../ui/output.js";
import { count, duration, Fragment, h, shortHash, signal, Tabs } from "../../lazy-exports.js";
import { type Exchange, exchange } from "../../replies.js";
import { BodyText } from "../BodyText.js";
import { Failure, Notes } from "../parts.js";
import type { View } from "../view.js";

type Side = "request" | "response";
type Part = Side | "base" | "timing";
const SIDES: Record<Side, [Part, string][]> = {
  request: [
    ["request", "Request"],
    ["base", "Base string"],
  ],
  response: [
    ["response", "Response"],
    ["timing", "Timing"],
  ],
};
/** Maximum length of a body to show; more would make the page slow. */
const SHOWN = 64 * 1024;

interface Loaded {
  n: number;
  value: Exchange;
  bodies: Uint8Array[];
}

/** A body, or that it is unknown. */
function body(label: string, bytes: Uint8Array | undefined, known: boolean) {
  if (!known) return <p class="hw-hint">The body is unknown.</p>;
  const all = bytes ?? new Uint8Array();
  return (
    <>
      <BodyText label={label} text={new TextDecoder().decode(all.subarray(0, SHOWN))} />
      <p class="hw-hint">
        {count(all.length, "byte")}
        {all.length > SHOWN && `, of which the first ${count(SHOWN, "byte")} are shown`}
      </p>
    </>
  );
}
const rows = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }));

const PANES: Record<Part, (entry: Loaded) => ComponentChildren> = {
  request: ({ value, bodies }) => (
    <>
      <p class="hw-mono">
        {value.method} {value.url}
      </p>
      <HeaderTable rows={rows(value.headers)} />
      {body("Request body", bodies[0], value.body_known)}
      {value.body_known && <p class="hw-hint">sha256 {shortHash(value.sha256)}</p>}
      <Notes label="Not in the recording" notes={value.notes} />
    </>
  ),
  response: ({ value, bodies }) =>
    value.response_known || value.response_headers.length > 0 ? (
      <>
        {body("Body of the response", bodies[1], value.response_known)}
        <HeaderTable rows={rows(value.response_headers)} />
      </>
    ) : (
      <p class="hw-hint">No response is known.</p>
    ),
  base: ({ value }) =>
    value.base_strings.length === 0 ? (
      <p class="hw-hint">Nothing is known to be signed.</p>
    ) : (
      value.base_strings.map(({ field, algorithm, length, shown }) => (
        <div key={field}>
          <p class="hw-hint">
            {field}: {algorithm}, {count(length, "byte")}
          </p>
          <Pre label={`Base string of ${field}`}>{shown}</Pre>
        </div>
      ))
    ),
  timing: ({ value }) => (
    <table class="hw-table" aria-label="Timing">
      <tbody>
        <tr>
          <th scope="row">Started (UTC)</th>
          <td>{value.started || "unknown"}</td>
        </tr>
        <tr>
          <th scope="row">Duration</th>
          <td>{value.duration_s === null ? "unknown" : duration(value.duration_s)}</td>
        </tr>
      </tbody>
    </table>
  ),
};

export function createDetails({ state, id }: View) {
  const loaded = signal<Loaded | null>(null);
  const failure = signal("");
  const parts = { request: signal<Part>("request"), response: signal<Part>("response") };
  let latest = 0;

  const load = async (n: number) => {
    latest = n;
    loaded.set(null);
    failure.set("");
    try {
      const { value, buffers } = await state.rpc.request("exchange", { n }, exchange);
      if (latest === n) loaded.set({ n, value, bodies: buffers });
    } catch (error) {
      if (latest === n) failure.set((error as Error).message);
    }
  };

  const draw = (n: number) => {
    if (failure()) return <Failure text={failure()} />;
    const entry = loaded();
    if (entry?.n !== n) return <p class="hw-empty">Loading…</p>;
    const side = (name: Side) => {
      const panels = id(`exchange-${name}`);
      const part = parts[name];
      return (
        <div class="hw-exchange-side">
          <Tabs<Part>
            label={name === "request" ? "Parts of the request" : "Parts of the response"}
            small
            panels={panels}
            current={part()}
            onPick={part.set}
            tabs={SIDES[name]}
          />
          <div
            class="hw-exchange-part"
            role="tabpanel"
            id={`${panels}-${part()}`}
            aria-labelledby={`${panels}-${part()}-tab`}
          >
            {PANES[part()](entry)}
          </div>
        </div>
      );
    };
    return (
      <section class="hw-exchange" aria-label={`Exchange ${n}`}>
        <div class="hw-exchange-sides">
          {side("request")}
          {side("response")}
        </div>
      </section>
    );
  };
  return { load, draw };
}
