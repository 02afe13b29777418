/** The request to send: headers, curl, base string. Stale outputs cannot be copied. */
import { Fragment, h } from "preact";
import { signal } from "../../../core/signals.js";
import {
  Button,
  Chip,
  clockTime,
  createCopy,
  HeaderTable,
  Hint,
  Section,
  TabPanel,
  Tabs,
  type Tone,
} from "../../../ui/controls.js";
import type { State } from "../../state.js";
import type { Header } from "../../wire.js";
import type { Lazy } from "../Lazy.js";
import { createCustomHeaders } from "../payload/HeaderEditor.js";
import type { View } from "../view.js";

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

/** True if the request contains this tab's secret, which the kernel does not have. */
export function containsTabSecret({ draft, inputs }: State): boolean {
  return Boolean(draft()?.reveals_secret) && inputs.signer() === "browser";
}

/** Returns tone and text of the signature's status. */
export function statusOf(state: State): [tone: Tone, text: string] {
  const provider = state.provider();
  const held = provider && state.held(provider.id).state;
  const kernel = state.kernel();
  if (kernel === "none") return ["plain", "Saved, no kernel"];
  if (kernel === "gone") return ["bad", "No kernel"];
  if (kernel === "waiting") return ["warn", "Waiting for the kernel"];
  if (state.draftFresh() && state.draft()?.error) return ["bad", "Invalid request"];
  if (containsTabSecret(state)) return ["plain", "Contains the secret"];
  if (state.signedFresh()) return ["ok", "Signature up to date"];
  if (held === "malformed") return ["bad", "Invalid secret"];
  if (held === "none" && state.inputs.signer() === "browser") {
    return ["plain", `Not signed: no ${provider?.key.type === "key-pair" ? "key pair" : "secret"}`];
  }
  return ["warn", "Signing…"];
}

/** Returns the headers to show: the signed ones if they are the newest, else the draft's without signatures. */
function headersOf({ signed, draft, signedFresh, draftFresh }: State): Header[] {
  const last = signed();
  return (last && (signedFresh() || !draftFresh()) ? last.headers : draft()?.headers) ?? [];
}

export function createRequest(view: View, lazy: Lazy) {
  const { state, id } = view;
  const panels = id("request");
  const panel = signal<Part>("headers");
  const custom = createCustomHeaders(view);
  const copy = createCopy(view, "headers", () =>
    headersOf(state)
      .map(({ name, value }) => `${name}: ${value}`)
      .join("\n"),
  );

  const headers = () => {
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
        {rows.length === 0 && (
          <Hint>
            {state.still()
              ? "Headers are shown above."
              : state.kernel() === "none"
                ? "Headers need a kernel. export_html(path) saves a page with headers and command."
                : "No headers yet."}
          </Hint>
        )}
        {custom.rows()}
        {fresh && state.signed()?.body_note && <Hint>{state.signed()?.body_note}</Hint>}
      </>
    );
  };

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
        <TabPanel panels={panels} id="headers" current={current} scrolls>
          {headers()}
        </TabPanel>
        <TabPanel panels={panels} id="curl" current={current} scrolls>
          {current === "curl" && lazy("curl")}
        </TabPanel>
        <TabPanel panels={panels} id="base" current={current} scrolls>
          {current === "base" && lazy("base")}
        </TabPanel>
        <TabPanel panels={panels} id="receiver" current={current} scrolls>
          {current === "receiver" && lazy("receiver")}
        </TabPanel>
      </Section>
    );
  };
}
