/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** Checks a request that was received: pasted headers, and a body pasted or loaded byte for byte. */
import {
  Button,
  Chip,
  count,
  createProviderPicker,
  createSecret,
  Fragment,
  h,
  Section,
  SelectField,
  signal,
  TextField,
} from "../shared.js";
import type { Signal } from "../signals.js";
import { type Verdict, verdict } from "../verdicts.js";
import type { View } from "./view.js";

export function createVerify(view: View) {
  const { state, id } = view;
  const providers = createProviderPicker(view, "verify-provider");
  const secret = createSecret(view, "verify-secret");
  const picked = signal("");
  const headers = signal("");
  const typed = signal("");
  const loaded = signal<{ name: string; bytes: Uint8Array } | null>(null);
  const url = signal("");
  const method = signal("POST");
  const when = signal<"now" | "at">("now");
  const at = signal("");
  const publicKey = signal("");
  const result = signal<Verdict | null>(null);
  const failure = signal("");

  /** Sets an input; a verdict belongs to what was checked, so it goes. */
  const to =
    <T,>(input: Signal<T>) =>
    (value: T) => {
      input.set(value);
      result.set(null);
      failure.set("");
    };
  const provider = () => {
    return state.providerOf(picked() || state.inputs.provider());
  };

  const check = async () => {
    const chosen = provider();
    if (!chosen || state.verifying() !== null) return;
    result.set(null);
    failure.set("");
    state.verifying.set(chosen.id);
    try {
      const args = {
        provider: chosen.id,
        url: url(),
        method: method(),
        headers_text: headers(),
        now: when() === "at" && at() ? `${at()}Z` : null,
        public_key: (chosen.key.type === "key-pair" && publicKey().trim()) || null,
      };
      const bytes = loaded()?.bytes ?? new TextEncoder().encode(typed());
      const { value } = await state.rpc.request("verify", args, verdict, { buffers: [bytes] });
      result.set(value);
      state.say(`${value.ok ? "Signature valid" : "Signature not valid"}. ${value.detail}`);
    } catch (error) {
      failure.set((error as Error).message);
      state.say(failure());
    } finally {
      state.verifying.set(null);
    }
  };

  const useGenerated = () => {
    const lines = state.signed()?.headers.map(({ name, value }) => `${name}: ${value}`) ?? [];
    picked.set("");
    to(headers)(lines.join("\n"));
    url.set(state.draft()?.url ?? "");
    method.set(state.draft()?.method ?? "POST");
    loaded.set({ name: "The generated payload", bytes: state.sentBody() ?? new Uint8Array() });
  };

  const loadFile = async ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const file = currentTarget.files?.[0];
    if (file) to(loaded)({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
    currentTarget.value = ""; // the same file may be chosen again after it changed
  };

  const body = () => {
    const file = loaded();
    return (
      <>
        {file ? (
          <p class="hw-loaded">
            <span>
              <strong>{file.name}</strong>, {count(file.bytes.length, "byte")}, exact
            </span>
            <Button look="quiet" onClick={() => to(loaded)(null)}>
              Paste instead
            </Button>
          </p>
        ) : (
          <TextField
            id={id("verify-body")}
            label="Body"
            rows={7}
            hint="A text field turns CRLF into LF. Load a file when every byte counts."
            value={typed()}
            onText={to(typed)}
          />
        )}
        <label class="hw-btn hw-file">
          Load body file
          <input type="file" class="hw-offscreen" onChange={loadFile} />
        </label>
      </>
    );
  };

  const outcome = ({ ok, detail, steps }: Verdict) => (
    <>
      {detail && <p class={`hw-alert ${ok ? "hw-ok" : "hw-bad"}`}>{detail}</p>}
      <ol class="hw-steps">
        {steps.map((step) => (
          <li class="hw-step">
            <Chip tone={step.ok === null ? "plain" : step.ok ? "ok" : "bad"}>
              {step.ok === null ? "Not reached" : step.ok ? "Passed" : "Failed"}
            </Chip>
            <span>
              {step.label} <span class="hw-dim">{step.text}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );

  return () => {
    const chosen = provider();
    const verdictNow = result();
    const busy = state.verifying() !== null;
    return (
      <>
        <div class="hw-choose">
          {providers({
            value: picked() || state.inputs.provider(),
            onPick: to(picked),
          })}
          <TextField id={id("verify-method")} label="Method" value={method()} onText={to(method)} />
          <TextField
            id={id("verify-url")}
            label="URL it was sent to"
            grow
            placeholder="Needed when the provider signs it"
            value={url()}
            onText={to(url)}
          />
          <SelectField
            id={id("verify-when")}
            label="Checked at"
            value={when()}
            options={[
              ["now", "Now"],
              ["at", "A given time"],
            ]}
            onPick={to(when)}
          />
          {when() === "at" && (
            <TextField
              id={id("verify-at")}
              label="Time (UTC)"
              type="datetime-local"
              value={at()}
              onText={to(at)}
            />
          )}
        </div>
        <div class="hw-cols">
          <div class="hw-col">
            <Section
              id={id("verify-request")}
              title="Received request"
              actions={
                <Button
                  look="quiet"
                  disabled={!state.signedFresh() || !state.sentBody()}
                  onClick={useGenerated}
                >
                  Use the generated one
                </Button>
              }
            >
              <TextField
                id={id("verify-headers")}
                label="Headers, one on each line"
                rows={6}
                placeholder="Content-Type: application/json"
                value={headers()}
                onText={to(headers)}
              />
              {body()}
            </Section>
          </div>
          <div class="hw-col">
            {chosen?.key.type === "secret" && secret(chosen.id, chosen.key)}
            <section class="hw-section" aria-label="Verdict">
              {chosen?.key.type === "key-pair" && (
                <TextField
                  id={id("verify-key")}
                  label={chosen.key.title}
                  rows={3}
                  hint="Hex, base64 or PEM. Left empty, the key pair of this tab is used."
                  value={publicKey()}
                  onText={to(publicKey)}
                />
              )}
              <div class="hw-row hw-middle">
                <Button look="primary" disabled={busy || state.kernel() === "none"} onClick={check}>
                  {busy ? "Verifying…" : "Verify signature"}
                </Button>
                {verdictNow && (
                  <Chip tone={verdictNow.ok ? "ok" : "bad"}>{verdictNow.ok ? "Valid" : "Not valid"}</Chip>
                )}
              </div>
              {failure() && <p class="hw-alert hw-bad">{failure()}</p>}
              {verdictNow && outcome(verdictNow)}
            </section>
          </div>
        </div>
      </>
    );
  };
}
