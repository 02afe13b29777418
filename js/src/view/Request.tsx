/** What will be sent: headers, curl, base string. Nothing stale can be copied. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { count } from "../bytes.js";
import type { State } from "../model.js";
import { newestWins } from "../rpc.js";
import { curlReply, type Header } from "../wire.js";
import { useUid, useView } from "./context.js";
import { Button, Chip, CopyButton, clockTime, Field, shortHash, Tabs, type Tone } from "./ui.js";

type Panel = "headers" | "curl" | "base";

/** Where the signature stands, in the words of the chip. */
export function standing(state: State): { tone: Tone; text: string } {
  const facts = state.provider.value?.key;
  const mine =
    state.secrets.value >= 0 && facts ? state.holder.describe(state.inputs.provider.value, facts) : null;
  const draft = state.draft.value;
  if (state.kernel.value === "none") return { tone: "plain", text: "As saved, no kernel" };
  if (state.kernel.value !== "ready") return { tone: "warn", text: "Waiting for the kernel" };
  if (!draft) return { tone: "plain", text: "Preparing…" };
  if (state.draftFresh.value && draft.error) return { tone: "bad", text: "Cannot be built" };
  if (state.signedFresh.value) return { tone: "ok", text: "Signed for these bytes" };
  if (mine?.state === "malformed") return { tone: "bad", text: "The secret cannot be used" };
  if (state.inputs.signer.value === "browser" && mine?.state === "none") {
    return {
      tone: "plain",
      text: facts?.type === "key-pair" ? "Not signed: no key pair" : "Not signed: no secret",
    };
  }
  return { tone: "warn", text: "Signing the new bytes…" };
}

/** The headers to show: those with signatures while they exist, else the draft's with gaps. */
function headersOf(state: State): Header[] {
  const { signed, draft, signedFresh, draftFresh } = state;
  if (signed.value && (signedFresh.value || !draftFresh.value)) return signed.value.headers;
  return draft.value?.headers ?? [];
}

export function Request() {
  const { state } = useView();
  const uid = useUid();
  const panel = useSignal<Panel>("headers");
  const { tone, text } = standing(state);
  const draft = state.draft.value;
  const error = state.draftFresh.value ? draft?.error : null;
  const unconfirmed = state.provider.value?.unconfirmed ?? [];
  const name = (id: Panel) => ({
    id: `${uid}-${id}`,
    role: "tabpanel" as const,
    "aria-labelledby": `${uid}-${id}-tab`,
  });

  return (
    <section class="hw-section hw-request" aria-labelledby={`${uid}-title`}>
      <div class="hw-head">
        <h3 id={`${uid}-title`}>Request</h3>
        <Chip tone={tone}>{text}</Chip>
      </div>
      {error && <p class="hw-alert hw-bad">{error.text}</p>}
      <div class="hw-head">
        <Tabs
          small
          label="Parts of the request"
          panels={uid}
          current={panel.value}
          onPick={(id) => {
            panel.value = id;
          }}
          tabs={[
            { id: "headers", title: "Headers" },
            { id: "curl", title: "curl" },
            { id: "base", title: "Base string" },
          ]}
        />
        <div class="hw-right">
          {panel.value === "headers" && (
            <CopyButton
              what="headers"
              disabled={!state.signedFresh.value}
              title={
                state.signedFresh.value ? "" : "Only headers with a signature for these bytes can be copied"
              }
              content={() =>
                headersOf(state)
                  .map(({ name: is, value }) => `${is}: ${value}`)
                  .join("\n")
              }
            />
          )}
        </div>
      </div>
      <div {...name("headers")} hidden={panel.value !== "headers"}>
        <Headers />
        {unconfirmed.length > 0 && (
          <p class="hw-hint">Not confirmed by a published source: {unconfirmed.join(", ")}.</p>
        )}
      </div>
      <div {...name("curl")} hidden={panel.value !== "curl"}>
        {panel.value === "curl" && <Curl />}
      </div>
      <div {...name("base")} hidden={panel.value !== "base"}>
        {panel.value === "base" && <BaseStrings />}
      </div>
    </section>
  );
}

function Headers() {
  const { state } = useView();
  const signed = state.signed.value;
  const fresh = state.signedFresh.value;
  const headers = headersOf(state);
  const stale = !state.draftFresh.value || (signed !== null && headers === signed.headers && !fresh);
  if (headers.length === 0) return <p class="hw-hint">No headers yet.</p>;
  return (
    <>
      <table class={stale ? "hw-table hw-stale" : "hw-table"}>
        <thead class="hw-offscreen">
          <tr>
            <th scope="col">Header</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(({ name, value, source, signed: carries }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: header names may repeat
            <tr key={i} class={carries ? "hw-signature" : ""}>
              <th scope="row">{name}</th>
              <td>
                {value ?? <span class="hw-dim">made when there is a secret</span>}
                {source === "yours" && <span class="hw-tag">yours</span>}
                {carries && stale && <span class="hw-tag">older bytes</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fresh && signed?.body_note && <p class="hw-hint">{signed.body_note}</p>}
      <Stamp />
    </>
  );
}

/** When the shown signature was stamped, and a way to stamp it now. */
function Stamp() {
  const { state } = useView();
  const { draft, signed } = state;
  if (!draft.value?.at || !state.draftFresh.value) return null;
  const mode = state.inputs.clock.value.mode;
  return (
    <p class="hw-hint hw-stamp">
      {draft.value.clock_note || `Stamped ${clockTime(signed.value?.at || draft.value.at)}`}
      {mode === "now" && state.signedFresh.value && (
        <>
          {" · stamped again when it is sent "}
          <Button look="quiet" onClick={() => state.secretsChanged()}>
            Stamp now
          </Button>
        </>
      )}
    </p>
  );
}

function Curl() {
  const { state } = useView();
  const form = useSignal<"signed" | "env">("signed");
  const variable = useSignal("WEBHOOK_SECRET");
  const text = useSignal<{ text: string; of: unknown } | null>(null);
  const refusal = useSignal("");
  // The text belongs to the draft or signature that it was asked for.
  const subject = form.value === "signed" ? state.signed.value : state.draft.value;
  const ready =
    form.value === "signed" ? state.signedFresh.value : state.draftFresh.value && !state.draft.value?.error;

  const ask = useMemo(
    () =>
      newestWins(async (args: { form: string; secret_env: string }, of: unknown) => {
        refusal.value = "";
        try {
          const { value } = await state.rpc.request("curl", args, curlReply);
          text.value = { text: value.text, of };
        } catch (error) {
          text.value = null;
          refusal.value = (error as Error).message;
        }
      }),
    [],
  );
  useEffect(() => {
    if (ready) ask({ form: form.value, secret_env: variable.value }, subject);
  }, [ready, subject, form.value, variable.value]);

  const fresh = ready && text.value?.of === subject;
  return (
    <>
      <div class="hw-row hw-curl">
        <Field label="Signature" class="hw-grow">
          {(ids) => (
            <select
              {...ids}
              class="hw-input"
              value={form.value}
              onChange={({ currentTarget }) => {
                text.value = null;
                form.value = currentTarget.value as "signed" | "env";
              }}
            >
              <option value="signed">Made here, good until it expires</option>
              <option value="env">Made by the shell from a variable</option>
            </select>
          )}
        </Field>
        {form.value === "env" && (
          <Field label="Variable">
            {(ids) => (
              <input
                {...ids}
                class="hw-input hw-mono"
                spellcheck={false}
                value={variable.value}
                onInput={({ currentTarget }) => {
                  if (/^[A-Za-z_]\w*$/.test(currentTarget.value)) variable.value = currentTarget.value;
                }}
              />
            )}
          </Field>
        )}
        <CopyButton what="curl command" disabled={!fresh} content={() => text.value?.text ?? ""} />
      </div>
      {text.value ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre class={fresh ? "hw-pre" : "hw-pre hw-stale"} tabIndex={0} aria-label="curl command">
          {text.value.text}
        </pre>
      ) : (
        <p class="hw-hint">
          {refusal.value ||
            (form.value === "signed" ? "Comes with the signature." : "Comes with the next draft.")}
        </p>
      )}
    </>
  );
}

function BaseStrings() {
  const { state } = useView();
  const strings = state.draft.value?.base_strings ?? [];
  if (strings.length === 0) return <p class="hw-hint">Nothing to sign yet.</p>;
  return (
    <div class={state.draftFresh.value ? "" : "hw-stale"}>
      {strings.map(({ field, algorithm, length, sha256, shown, cut }) => (
        <div key={field}>
          <p class="hw-facts" title={`sha256 ${sha256}`}>
            {`{${field}} · ${algorithm} over ${count(length, "byte")} · sha256 ${shortHash(sha256)}`}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <pre class="hw-pre" tabIndex={0} aria-label={`Base string of ${field}`}>
            {shown}
            {cut && "…"}
          </pre>
          {cut && <p class="hw-hint">Only the beginning is shown; all {count(length, "byte")} are signed.</p>}
        </div>
      ))}
    </div>
  );
}
