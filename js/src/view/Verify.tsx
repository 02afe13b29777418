/** Checks a request that was received: pasted headers, and a body pasted or loaded byte for byte. */
import { useSignal } from "@preact/signals";
import { count, readBody } from "../bytes.js";
import { type Verdict, verdict } from "../wire.js";
import { providerOptions } from "./Choose.js";
import { Combobox } from "./Combobox.js";
import { useView } from "./context.js";
import { Secret } from "./Secret.js";
import { Button, Chip, Field } from "./ui.js";

interface Loaded {
  name: string;
  bytes: Uint8Array;
}

export function Verify() {
  const { state } = useView();
  const picked = useSignal("");
  const headers = useSignal("");
  const typed = useSignal("");
  const loaded = useSignal<Loaded | null>(null);
  const url = useSignal("");
  const method = useSignal("POST");
  const fixed = useSignal(false);
  const at = useSignal("");
  const publicKey = useSignal("");
  const result = useSignal<Verdict | null>(null);
  const failure = useSignal("");
  const busy = useSignal(false);

  const id = picked.value || state.inputs.provider.value;
  const provider = state.catalog.value?.providers.find((entry) => entry.id === id);
  const asymmetric = provider?.key.type === "key-pair";

  /** A verdict belongs to what was checked: any change takes it away. */
  const change = <T,>(signal: { value: T }, value: T) => {
    signal.value = value;
    result.value = null;
  };

  const check = async () => {
    busy.value = true;
    failure.value = "";
    result.value = null;
    state.verifying.value = id;
    try {
      const args = {
        provider: id,
        url: url.value,
        method: method.value,
        headers_text: headers.value,
        now: fixed.value && at.value ? `${at.value}Z` : null,
        public_key: asymmetric && publicKey.value.trim() ? publicKey.value : null,
      };
      const bytes = loaded.value?.bytes ?? new TextEncoder().encode(typed.value);
      const { value } = await state.rpc.request("verify", args, verdict, { buffers: [bytes] });
      result.value = value;
      state.spoken.value = `${value.ok ? "Signature valid" : "Signature not valid"}. ${value.detail}`;
    } catch (error) {
      failure.value = (error as Error).message;
      state.spoken.value = failure.value;
    } finally {
      busy.value = false;
      state.verifying.value = null;
    }
  };

  const useGenerated = () => {
    const { signed, body } = state;
    const lines = signed.value?.headers.map(({ name, value }) => `${name}: ${value}`) ?? [];
    picked.value = state.inputs.provider.value;
    change(headers, lines.join("\n"));
    url.value = state.draft.value?.url ?? "";
    method.value = state.draft.value?.method ?? "POST";
    loaded.value = { name: "The generated payload", bytes: body.value.bytes };
  };

  const load = async (file: File | undefined) => {
    if (file) change(loaded, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  };

  return (
    <>
      <div class="hw-choose">
        <Combobox
          label="Provider"
          options={state.catalog.value ? providerOptions(state.catalog.value) : []}
          value={id}
          onPick={(next) => change(picked, next)}
        />
        <Field label="Method">
          {(ids) => (
            <input
              {...ids}
              class="hw-input hw-mono hw-short"
              spellcheck={false}
              value={method.value}
              onInput={({ currentTarget }) => change(method, currentTarget.value)}
            />
          )}
        </Field>
        <Field label="URL it was sent to" class="hw-grow">
          {(ids) => (
            <input
              {...ids}
              class="hw-input hw-mono"
              spellcheck={false}
              placeholder="Needed when the provider signs it"
              value={url.value}
              onInput={({ currentTarget }) => change(url, currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Checked at">
          {(ids) => (
            <select
              {...ids}
              class="hw-input"
              value={fixed.value ? "at" : "now"}
              onChange={({ currentTarget }) => change(fixed, currentTarget.value === "at")}
            >
              <option value="now">Now</option>
              <option value="at">A given time</option>
            </select>
          )}
        </Field>
        {fixed.value && (
          <Field label="Time (UTC)">
            {(ids) => (
              <input
                {...ids}
                class="hw-input"
                type="datetime-local"
                step="1"
                value={at.value}
                onChange={({ currentTarget }) => change(at, currentTarget.value)}
              />
            )}
          </Field>
        )}
      </div>
      <div class="hw-cols">
        <div class="hw-col">
          <section class="hw-section">
            <div class="hw-head">
              <h3>Received request</h3>
              <div class="hw-right">
                <Button look="quiet" disabled={!state.signedFresh.value} onClick={useGenerated}>
                  Use the generated one
                </Button>
              </div>
            </div>
            <Field label="Headers, one on each line">
              {(ids) => (
                <textarea
                  {...ids}
                  class="hw-input hw-mono hw-area"
                  spellcheck={false}
                  rows={6}
                  placeholder={"Content-Type: application/json\nX-Signature: …"}
                  value={headers.value}
                  onInput={({ currentTarget }) => change(headers, currentTarget.value)}
                />
              )}
            </Field>
            <BodyField
              loaded={loaded.value}
              typed={typed.value}
              onType={(text) => change(typed, text)}
              onLoad={load}
              onUnload={() => change(loaded, null)}
            />
          </section>
        </div>
        <div class="hw-col">
          {provider && !asymmetric && <Secret slot={id} facts={provider.key} />}
          {provider && asymmetric && (
            <section class="hw-section">
              <Field
                label={provider.key.title}
                hint="Hex, base64 or PEM. Left empty, the key pair of this tab is used."
              >
                {(ids) => (
                  <textarea
                    {...ids}
                    class="hw-input hw-mono"
                    rows={3}
                    spellcheck={false}
                    value={publicKey.value}
                    onInput={({ currentTarget }) => change(publicKey, currentTarget.value)}
                  />
                )}
              </Field>
            </section>
          )}
          <section class="hw-section">
            <div class="hw-row">
              <Button look="primary" disabled={busy.value || state.kernel.value === "none"} onClick={check}>
                {busy.value ? "Verifying…" : "Verify signature"}
              </Button>
              {result.value && (
                <Chip tone={result.value.ok ? "ok" : "bad"}>{result.value.ok ? "Valid" : "Not valid"}</Chip>
              )}
            </div>
            {failure.value && <p class="hw-alert hw-bad">{failure.value}</p>}
            {result.value && <Steps verdict={result.value} />}
          </section>
        </div>
      </div>
    </>
  );
}

type BodyProps = {
  loaded: Loaded | null;
  typed: string;
  onType: (text: string) => void;
  onLoad: (file: File | undefined) => void;
  onUnload: () => void;
};

function BodyField({ loaded, typed, onType, onLoad, onUnload }: BodyProps) {
  const picker = useSignal<HTMLInputElement | null>(null);
  return (
    <>
      {loaded ? (
        <div class="hw-loaded">
          <span>
            <strong>{loaded.name}</strong> · {count(loaded.bytes.length, "byte")}, exact
            {readBody(loaded.bytes).broken > 0 && " · not UTF-8"}
          </span>
          <Button look="quiet" onClick={onUnload}>
            Paste instead
          </Button>
        </div>
      ) : (
        <Field label="Body" hint="A text field turns CRLF into LF. Load a file when every byte counts.">
          {(ids) => (
            <textarea
              {...ids}
              class="hw-input hw-mono hw-area"
              spellcheck={false}
              rows={8}
              value={typed}
              onInput={({ currentTarget }) => onType(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="hw-row">
        <Button onClick={() => picker.value?.click()}>Load a file</Button>
        <input
          type="file"
          hidden
          aria-label="Body file"
          ref={(element) => {
            picker.value = element;
          }}
          onChange={({ currentTarget }) => {
            onLoad(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </div>
    </>
  );
}

function Steps({ verdict: { ok, detail, steps } }: { verdict: Verdict }) {
  return (
    <>
      {detail && <p class={ok ? "hw-line" : "hw-alert hw-bad"}>{detail}</p>}
      <ol class="hw-steps">
        {steps.map((step) => (
          <li key={step.label}>
            <Chip tone={step.ok === null ? "plain" : step.ok ? "ok" : "bad"}>
              {step.ok === null ? "Not reached" : step.ok ? "Passed" : "Failed"}
            </Chip>
            <span>
              {step.label}
              {step.text && <span class="hw-dim"> {step.text}</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
