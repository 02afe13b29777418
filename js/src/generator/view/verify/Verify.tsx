/** Panel that verifies a received request, pasted as headers and body, and diagnoses a mismatch. */

import type { Facts } from "../../../vault/facts.js";
import {
  Button,
  count,
  createProviderPicker,
  factsOf,
  h,
  Section,
  SelectField,
  TextField,
} from "../../lazy-exports.js";
import type { KeyFacts } from "../../wire.js";
import { Failure, Notes } from "../parts.js";
import { ProviderFilters } from "../provider/ProviderFilters.js";
import { createSecret } from "../request/Secret.js";
import { createWhy } from "../request/Why.js";
import type { View } from "../view.js";
import { createVerification, type Verification } from "./check.js";
import { createDiagnosisReport } from "./DiagnosisReport.js";
import { DETECT } from "./fields.js";
import { Detail, Detected, Progress, Steps, ValidYetRejected, VerdictChip } from "./Verdict.js";

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

export function createVerify(view: View) {
  const verification = createVerification(view);
  const settings = createSettings(view, verification);
  const secret = createSecretSection(view, verification);
  const outcome = createOutcomeSection(view, verification);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the notebook runs the cell
    if (!event.repeat) verification.check();
  };
  return () => (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields inside
    <div onKeyDown={onKeyDown}>
      {settings()}
      <div class="hw-cols">
        <div class="hw-col">{requestSection(view, verification)}</div>
        <div class="hw-col">
          {secret()}
          {outcome()}
        </div>
      </div>
    </div>
  );
}

/** Provider, method, URL, clock and tolerance. */
function createSettings(view: View, { fields }: Verification) {
  const providers = createProviderPicker(view, "verify-provider", ProviderFilters);
  const { values, providerId, setter, text } = fields;
  return () => (
    <div class="hw-choose">
      {providers({ value: providerId(), more: [DETECTING], onPick: setter("provider") })}
      <TextField {...text("method")} label="Method" />
      <TextField {...text("url")} label="Request URL" grow placeholder="Required if the provider signs it" />
      <SelectField
        id={view.id("verify-when")}
        label="Clock"
        value={values().when}
        options={[
          ["now", "Now"],
          ["at", "Fixed time"],
        ]}
        onPick={setter("when")}
      />
      {values().when === "at" && <TextField {...text("at")} label="Time (UTC)" type="datetime-local" />}
      <TextField {...text("tolerance_s")} label="Tolerance (seconds)" placeholder="provider's own" />
    </div>
  );
}

/** Headers and body of the received request. */
function requestSection({ state, id }: View, { fields, setHeaders }: Verification) {
  const { source, notes, body, sent, text } = fields;
  const fillGenerated = () =>
    fields.fill({
      provider: "",
      url: state.draft()?.url ?? "",
      method: state.draft()?.method ?? "POST",
      headers: state.signed()?.headers.map(({ name, value }) => [name, value ?? ""]) ?? [],
      body: state.sentBody() ?? new Uint8Array(),
      name: "Generated payload",
      at: "",
    });
  return (
    <Section
      id={id("verify-request")}
      title="Received request"
      actions={
        <Button look="quiet" disabled={!state.signedFresh() || !state.sentBody()} onClick={fillGenerated}>
          Use the generated request
        </Button>
      }
    >
      {source() && <p class="hw-hint">{source()}. To see what changed, enter what the receiver got.</p>}
      <TextField
        hint="Or paste a request: raw, curl, HAR, JSON, printed headers. It fills all fields."
        {...text("headers")}
        label="Headers (one per line)"
        rows={6}
        placeholder="Content-Type: application/json"
        onText={setHeaders}
      />
      <Notes label="Not in the recording" notes={notes()} />
      {body.draw()}
      <details class="hw-details">
        <summary>I also have the original body</summary>
        <div class="hw-inside">{sent.draw()}</div>
      </details>
    </Section>
  );
}

/** The secret to verify with, unless the provider signs with a private key. */
function createSecretSection(view: View, { fields }: Verification) {
  const secret = createSecret(view, "verify");
  return () => {
    const provider = fields.provider();
    const key = fields.detecting() ? ANY_SECRET : provider?.key;
    return key?.type === "secret" && secret(key, provider ? factsOf(provider) : UNKNOWN);
  };
}

/** The public key, the button, and the result. */
function createOutcomeSection(view: View, verification: Verification) {
  const { state, id, root } = view;
  const { fields, result, report, step, check } = verification;
  const { detecting, failure } = fields;
  const diagnosisReport = createDiagnosisReport(id);
  const why = createWhy(view, "verify");
  const pasteBody = () => {
    fields.body.load(null);
    setTimeout(() => root.querySelector<HTMLElement>(`#${id("verify-body")}`)?.focus());
  };
  return () => {
    const rejected = fields.rejected();
    const provider = fields.provider();
    const [verdict, diagnosis] = [result(), report()];
    const busy = state.verifying() !== null;
    return (
      <section class="hw-section" aria-label="Verdict">
        {fields.takesPublicKey() && (
          <TextField
            {...fields.text("key")}
            label={provider?.key.title ?? "Public key"}
            rows={detecting() ? 2 : 3}
            hint={
              provider
                ? "Hex, base64 or PEM. Empty: this tab's key pair."
                : "Only for providers that sign with a private key."
            }
          />
        )}
        <div class="hw-row hw-middle">
          <Button look="primary" disabled={busy || state.kernel() === "none"} onClick={check}>
            {busy ? "Verifying…" : "Verify signature"}
          </Button>
          {verdict && <VerdictChip ok={verdict.ok} />}
        </div>
        {!failure().field && <Failure text={failure().text} />}
        {step() === "diagnose" && <Progress done={state.matched()} />}
        {diagnosis && detecting() && <Detected {...diagnosis} />}
        {verdict?.ok && rejected ? (
          <ValidYetRejected record={rejected} pasteBody={pasteBody} why={why} />
        ) : (
          verdict?.detail && !diagnosis?.findings.length && <Detail verdict={verdict} />
        )}
        {diagnosis && diagnosisReport(diagnosis)}
        {verdict && (
          <details class="hw-details" open={!diagnosis && !rejected}>
            <summary>{count(verdict.steps.length, "step")}</summary>
            <Steps steps={verdict.steps} />
          </details>
        )}
      </section>
    );
  };
}
