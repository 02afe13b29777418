/** Panel that verifies a received request, pasted as headers and body, and diagnoses a mismatch. */

import type { Signal } from "../../../core/signals.js";
import type { Facts } from "../../../vault/facts.js";
import {
  Button,
  Chip,
  createProviderPicker,
  createSecret,
  effect,
  Fragment,
  factsOf,
  h,
  Section,
  SelectField,
  signal,
  TextField,
  utcField,
} from "../../lazy-exports.js";
import { importRecording, isRecording } from "../../recordings.js";
import { type Diagnosis, diagnosis, sentence, type Verdict, verdict } from "../../replies.js";
import type { KeyFacts } from "../../wire.js";
import type { ToVerify, View } from "../view.js";
import { createDiagnosisReport } from "./DiagnosisReport.js";
import { createBody } from "./Received.js";

/** Option among the providers: detect the provider from the headers. */
const DETECT = "detect from headers";
const DETECTING = { id: DETECT, label: "Detect from headers", group: "Automatic", hint: "" };

/** Key facts of a secret before its provider is known. */
const ANY_SECRET: KeyFacts = {
  type: "secret",
  title: "Secret",
  form: "utf8",
  strip_prefix: "",
  normalize: "",
  digest: "",
  note: "",
  example: null,
  algorithm: null,
  public_form: null,
};

/** Facts pinned to that secret until the provider of a pasted request is detected. */
const UNKNOWN: Facts = {
  provider: "",
  key: { form: "utf8", strip_prefix: "", prefix: "", pair: null, publicForm: "base64-spki" },
  schemes: {},
};

/** Names of the parts of a pasted request in error messages. */
const PARTS: Record<string, string> = {
  url: "URL",
  method: "method",
  headers: "headers",
  body: "body",
  sent: "original body",
  publicKey: "public key",
};

export function createVerify(view: View) {
  const { state, id } = view;
  const providers = createProviderPicker(view, "verify-provider");
  const secret = createSecret(view, "verify");
  const why = createDiagnosisReport(id);
  const picked = signal("");
  const headers = signal("");
  const url = signal("");
  const method = signal("POST");
  const when = signal<"now" | "at">("now");
  const at = signal("");
  /** In seconds; "" for the provider's default. */
  const tolerance = signal("");
  const publicKey = signal("");
  /** Name of the delivery whose request is shown. */
  const source = signal("");
  /** Notes on the missing parts of a recording. */
  const notes = signal<string[]>([]);
  const result = signal<Verdict | null>(null);
  const reason = signal<Diagnosis | null>(null);
  const failure = signal("");
  const step = signal<"" | "verify" | "diagnose">("");

  let run = 0;

  /** Clears the verdict, also one in progress, because the inputs changed. */
  const forget = () => {
    run += 1;
    result.set(null);
    reason.set(null);
    failure.set("");
  };
  view.ends.addEventListener(
    "abort",
    effect(() => state.secrets() >= 0 && forget()),
  );
  const body = createBody(id("verify-body"), "Body", "Load body from file", forget);
  const sent = createBody(id("verify-sent"), "Original body", "Load original body", forget);
  const to =
    <T,>(input: Signal<T>) =>
    (value: T) => {
      input.set(value);
      forget();
    };
  const providerId = () => picked() || state.inputs.provider();
  const detecting = () => providerId() === DETECT;
  const provider = () => (detecting() ? null : state.providerOf(providerId()));
  const takesPublicKey = () => detecting() || provider()?.key.type === "key-pair";

  /**
   * Returns the pasted request, redacted in the vault. With a secret in the kernel nothing is redacted, because the
   * kernel compares it.
   *
   * @throws {Error} if a part would still contain a secret of this tab.
   */
  const redacted = async () => {
    const request = {
      url: url(),
      method: method(),
      headers: headers(),
      body: body.bytes(),
      sent: sent.bytes().length > 0 ? sent.bytes() : null,
      publicKey: (takesPublicKey() && publicKey().trim()) || "",
    };
    if (state.inputs.signer() === "kernel") return request;
    const places = detecting()
      ? state.catalog()?.credentials
      : provider()?.schemes.flatMap(({ credentials }) => credentials);
    const { request: safe, blocked } = await state.vault.request("redact", { request, places: places ?? [] });
    if (safe) return safe;
    throw new Error(
      `Not verified: the ${PARTS[blocked ?? ""] ?? "request"} contains this tab's secret in a form that cannot be ` +
        "redacted, so it would leave the tab; remove it there",
    );
  };
  const asked = (request: Awaited<ReturnType<typeof redacted>>) => ({
    provider: detecting() ? "" : providerId(),
    url: request.url,
    method: request.method,
    headers_text: request.headers,
    now: when() === "at" && at() ? `${at()}Z` : null,
    // Omitted rather than null, because Pyodide does not convert null to None.
    ...(tolerance() && { tolerance_s: Number(tolerance()) }),
    public_key: request.publicKey || null,
  });

  const diagnose = async (mine: number) => {
    step.set("diagnose");
    state.matched.set(0);
    const request = await redacted();
    const buffers = request.sent ? [request.body, request.sent] : [request.body];
    const { value } = await state.rpc.request("diagnose", asked(request), diagnosis, { buffers, slow: true });
    if (mine !== run) return;
    reason.set(value);
    result.set(value.verdict);
    const summary = value.findings.map(({ title, change }) => `${title}. ${change}`).join(" ");
    const otherwise = value.verdict.ok ? "Signature valid" : "Cause not found: most likely the secret.";
    state.say(summary || otherwise);
  };
  const verify = async (mine: number) => {
    step.set("verify");
    const request = await redacted();
    const buffers = [request.body];
    const { value } = await state.rpc.request("verify", asked(request), verdict, { buffers });
    if (mine !== run) return;
    result.set(value);
    state.say(`${value.ok ? "Signature valid" : "Signature invalid"}. ${value.detail}`);
    if (!value.ok) await diagnose(mine);
  };
  const check = async () => {
    if (state.verifying() !== null) return;
    forget();
    const mine = run;
    state.verifying.set(detecting() ? "" : providerId());
    try {
      await (detecting() ? diagnose : verify)(mine);
    } catch (error) {
      if (mine !== run) return;
      failure.set((error as Error).message);
      state.say(failure());
    } finally {
      state.verifying.set(null);
      step.set("");
    }
  };

  const fill = (request: ToVerify) => {
    picked.set(request.provider);
    headers.set(request.headers.map(([name, value]) => `${name}: ${value}`).join("\n"));
    url.set(request.url);
    method.set(request.method);
    when.set(request.at ? "at" : "now");
    at.set(utcField(request.at));
    source.set(request.at && request.name);
    notes.set(request.notes ?? []);
    sent.load(null);
    body.load({ name: request.name, bytes: request.body });
  };
  /** Fills all fields from a pasted recording; plain header lines stay as they are. */
  const takeHeaders = async (text: string) => {
    const before = headers();
    to(headers)(text);
    notes.set([]);
    if (!isRecording(text, before)) return;
    const mine = run;
    try {
      const { provider: known, format, ...request } = await importRecording(state, text, "verify");
      if (mine !== run) return;
      const chosen = detecting() ? DETECT : known;
      fill({ ...request, method: request.method || "POST", provider: chosen, name: format, at: "" });
      forget();
      const more =
        request.count > 1 ? [`This is the first of ${request.count} requests; History takes all.`] : [];
      notes.set([...more, ...request.notes]);
      source.set(`Read from a ${format}`);
      state.say(`Read from a ${format}. ${request.notes.join(". ")}`);
    } catch (error) {
      if (mine === run) failure.set((error as Error).message);
    }
  };
  const useGenerated = () =>
    fill({
      provider: "",
      url: state.draft()?.url ?? "",
      method: state.draft()?.method ?? "POST",
      headers: state.signed()?.headers.map(({ name, value }) => [name, value ?? ""]) ?? [],
      body: state.sentBody() ?? new Uint8Array(),
      name: "Generated payload",
      at: "",
    });
  view.ends.addEventListener(
    "abort",
    effect(() => {
      const request = view.toVerify();
      if (request) fill(request);
      view.toVerify.set(null);
    }),
  );

  /** Detail of the verdict, shown if the diagnosis found no cause. */
  const detail = (shown: Verdict) =>
    shown.detail && !reason()?.findings.length ? (
      <p class={`hw-alert ${shown.ok ? "hw-ok" : "hw-bad"}`}>{sentence(shown.detail)}</p>
    ) : null;

  const steps = (shown: Verdict) => (
    <ol class="hw-steps" aria-label="Checks">
      {shown.steps.map(({ label, ok, text }) => (
        <li class="hw-step">
          <Chip tone={ok === null ? "plain" : ok ? "ok" : "bad"}>
            {ok === null ? "Skipped" : ok ? "Passed" : "Failed"}
          </Chip>
          <span>
            {text ? `${label}: ` : label}
            <span class="hw-dim">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );

  const progress = () => {
    const share = Math.round(100 * state.matched());
    return (
      <p class="hw-line">
        <progress class="hw-progress" aria-label="Diagnosing" max={100} value={share || undefined} />
        Diagnosing{share > 0 && `, ${share} %`}…
      </p>
    );
  };

  const recognised = ({ provider: taken, detected }: Diagnosis) => {
    if (!detecting()) return null;
    const titles = detected.map(({ title }) => title);
    const first = detected.find(({ id }) => id === taken)?.title;
    return (
      <p class="hw-line">
        <Chip tone={first ? "ok" : "warn"}>{first ? `Detected: ${first}` : "Not detected"}</Chip>
        {titles.length > 1 && (
          <span class="hw-dim">Also possible: {titles.filter((title) => title !== first).join(", ")}.</span>
        )}
        {!first && "No known provider sends these headers. Select one above."}
      </p>
    );
  };

  const verdictChip = (ok: boolean) => <Chip tone={ok ? "ok" : "bad"}>{ok ? "Valid" : "Invalid"}</Chip>;

  return () => {
    const chosen = provider();
    const key = detecting() ? ANY_SECRET : chosen?.key;
    const [verdictNow, whyNow] = [result(), reason()];
    const busy = state.verifying() !== null;
    return (
      <>
        <div class="hw-choose">
          {providers({ value: providerId(), more: [DETECTING], onPick: to(picked) })}
          <TextField id={id("verify-method")} label="Method" value={method()} onText={to(method)} />
          <TextField
            id={id("verify-url")}
            label="Request URL"
            grow
            placeholder="Required if the provider signs it"
            value={url()}
            onText={to(url)}
          />
          <SelectField
            id={id("verify-when")}
            label="Clock"
            value={when()}
            options={[
              ["now", "Now"],
              ["at", "Fixed time"],
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
          <TextField
            id={id("verify-tolerance")}
            label="Tolerance (seconds)"
            type="number"
            placeholder="provider's own"
            value={tolerance()}
            onText={to(tolerance)}
          />
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
                  Use the generated request
                </Button>
              }
            >
              {source() && (
                <p class="hw-hint">
                  {source()}
                  {!source().startsWith("Read from") && " as sent"}. To see what changed on the way, replace
                  headers or body by what the receiver got.
                </p>
              )}
              <TextField
                id={id("verify-headers")}
                label="Headers (one per line)"
                hint="Or paste a request in any form: raw, curl, HAR, JSON, printed headers. It fills all fields."
                rows={6}
                placeholder="Content-Type: application/json"
                value={headers()}
                onText={takeHeaders}
              />
              {notes().length > 0 && (
                <ul class="hw-notes" aria-label="Not in the recording">
                  {notes().map((note) => (
                    <li key={note}>{note}</li>
                  ))}
                </ul>
              )}
              {body.draw()}
              <details class="hw-details">
                <summary>I also have the original body</summary>
                <div class="hw-inside">{sent.draw()}</div>
              </details>
            </Section>
          </div>
          <div class="hw-col">
            {key?.type === "secret" && secret(key, detecting() || !chosen ? UNKNOWN : factsOf(chosen))}
            <section class="hw-section" aria-label="Verdict">
              {takesPublicKey() && (
                <TextField
                  id={id("verify-key")}
                  label={chosen?.key.title ?? "Public key"}
                  rows={detecting() ? 2 : 3}
                  hint={
                    chosen
                      ? "Hex, base64 or PEM. Leave empty to use this tab's key pair."
                      : "Only for providers that sign with a private key."
                  }
                  value={publicKey()}
                  onText={to(publicKey)}
                />
              )}
              <div class="hw-row hw-middle">
                <Button look="primary" disabled={busy || state.kernel() === "none"} onClick={check}>
                  {busy ? "Verifying…" : "Verify signature"}
                </Button>
                {verdictNow && verdictChip(verdictNow.ok)}
              </div>
              {failure() && <p class="hw-alert hw-bad">{failure()}</p>}
              {step() === "diagnose" && progress()}
              {whyNow && recognised(whyNow)}
              {verdictNow && detail(verdictNow)}
              {whyNow && why(whyNow)}
              {verdictNow && steps(verdictNow)}
            </section>
          </div>
        </div>
      </>
    );
  };
}
