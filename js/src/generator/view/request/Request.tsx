/** The request to send: headers, curl, base string. Stale outputs cannot be copied. */
import type { ComponentChildren } from "preact";
import { HeaderTable } from "../../../ui/output.js";
import {
  Button,
  Chip,
  clockTime,
  createCopy,
  Fragment,
  Hint,
  h,
  Section,
  signal,
  statusOf,
  TabPanel,
  Tabs,
} from "../../lazy-exports.js";
import type { State } from "../../state.js";
import type { Header } from "../../wire.js";
import { createCustomHeaders } from "../payload/HeaderEditor.js";
import type { View } from "../view.js";
import { createBaseStrings } from "./BaseStrings.js";
import { createCurl } from "./Curl.js";
import { createReceiver } from "./ReceiverCode.js";

type Part = "headers" | "curl" | "base" | "receiver";
const PARTS: [Part, string][] = [
  ["headers", "Headers"],
  ["curl", "curl"],
  ["base", "Base string"],
];
/** Inputs that show their errors themselves. */
const AT_FIELDS = ["url", "headers", "clock", "body"];
/** Shown only if the kernel can write receiver code. */
const RECEIVER: [Part, string] = ["receiver", "Receiver code"];

/** Returns the headers to show: the signed ones if they are the newest, else the draft's without signatures. */
function headersOf({ signed, draft, signedFresh, draftFresh }: State): Header[] {
  const last = signed();
  return (last && (signedFresh() || !draftFresh()) ? last.headers : draft()?.headers) ?? [];
}

export function createRequest(view: View) {
  const { state, id } = view;
  const panels = id("request");
  const panel = signal<Part>("headers");
  const parts: Record<Part, () => ComponentChildren> = {
    headers: createHeaders(view),
    curl: createCurl(view),
    base: createBaseStrings(view),
    receiver: createReceiver(view),
  };
  return () => {
    const [tone, text] = statusOf(state);
    const fault = state.draftFresh() && state.draft()?.error;
    const current = panel();
    return (
      <Section id={id("request-title")} title="Request" aside={<Chip tone={tone}>{text}</Chip>}>
        {fault && !AT_FIELDS.includes(fault.field) && <p class="hw-alert hw-bad">{fault.text}</p>}
        <div class="hw-head">
          <Tabs
            small
            label="Request"
            panels={panels}
            current={current}
            onPick={panel.set}
            tabs={state.catalog()?.languages.length ? [...PARTS, RECEIVER] : PARTS}
          />
        </div>
        {(Object.keys(parts) as Part[]).map((part) => (
          <TabPanel key={part} panels={panels} id={part} current={current} scrolls>
            {part === current && parts[part]()}
          </TabPanel>
        ))}
      </Section>
    );
  };
}

/** The headers, when they were signed, and the custom ones. */
function createHeaders(view: View) {
  const { state } = view;
  const custom = createCustomHeaders(view);
  const copy = createCopy(view, "headers", () =>
    headersOf(state)
      .map(({ name, value }) => `${name}: ${value}`)
      .join("\n"),
  );

  /** Draws the time of signing, and a button that signs again. */
  const stamp = () => {
    const draft = state.draft();
    if (!draft?.at || !state.draftFresh()) return null;
    return (
      <Hint>
        {state.signedFresh() ? "Signed" : "Timestamped"} at {clockTime(draft.at)}
        {state.inputs.clock().mode === "now" && state.signedFresh() && (
          <>
            {"; signed again when sent."}
            <Button look="quiet" onClick={() => state.signAgain()}>
              Refresh
            </Button>
          </>
        )}
      </Hint>
    );
  };

  return () => {
    const fresh = state.signedFresh();
    const stale = !state.draftFresh();
    const rows = headersOf(state).map(({ name, value, source, signed }) => ({
      name,
      marked: signed,
      value: (
        <>
          {value ?? <span class="hw-dim">not signed yet</span>}
          {signed && state.draft()?.reveals_secret && <span class="hw-dim"> (your secret)</span>}
          {source === "yours" && <span class="hw-tag">custom</span>}
          {signed && stale && <span class="hw-tag">outdated</span>}
        </>
      ),
    }));
    return (
      <>
        <div class="hw-head">
          {stamp()}
          <div class="hw-right">
            {custom.button()}
            {copy({ disabled: !fresh, title: fresh ? "" : "Available once the request is signed" })}
          </div>
        </div>
        {rows.length > 0 && <HeaderTable rows={rows} stale={stale} />}
        {rows.length === 0 && <Hint>No headers yet.</Hint>}
        {custom.rows()}
        {fresh && state.signed()?.body_note && <Hint>{state.signed()?.body_note}</Hint>}
      </>
    );
  };
}
