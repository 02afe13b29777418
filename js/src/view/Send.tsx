/** The receiver, the one primary button, and the latest answer. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { TYPING_MS } from "../model.js";
import { useUid, useView } from "./context.js";
import { Result } from "./Result.js";
import { Button, Chip, duration, Field } from "./ui.js";

export function Send() {
  const { state, sender } = useView();
  const uid = useUid();
  const { url, provider, signer } = state.inputs;
  const latest = state.deliveries.value[0];
  const keyed = signer.value === "kernel" || (state.secrets.value >= 0 && state.holder.has(provider.value));
  const missing = !url.value
    ? "Enter the receiver's URL first."
    : keyed || state.signedFresh.value
      ? ""
      : state.provider.value?.key.type === "key-pair"
        ? "Generate a key pair first."
        : "Enter the secret first.";
  const busy = sender.since.value !== null;
  const warnings = state.draft.value?.warnings ?? [];
  return (
    <section class="hw-send" aria-label="Send">
      <div class="hw-row">
        <Field label="Receiver URL" class="hw-grow" locked={state.locked("url")}>
          {(ids) => (
            <input
              {...ids}
              class="hw-input hw-mono"
              type="url"
              inputMode="url"
              spellcheck={false}
              autocomplete="off"
              readOnly={state.locked("url")}
              placeholder="http://127.0.0.1:8000/webhooks"
              value={url.value}
              onInput={({ currentTarget }) => state.edit({ url: currentTarget.value.trim() }, TYPING_MS)}
            />
          )}
        </Field>
        <Tls />
        <Button
          look="primary"
          disabled={busy || missing !== "" || state.kernel.value === "none"}
          title={missing}
          onClick={() => sender.send()}
        >
          {busy ? "Sending…" : "Send test payload"}
        </Button>
      </div>
      {missing && state.kernel.value !== "none" && <p class="hw-hint">{missing}</p>}
      {warnings.map((warning) => (
        <p class="hw-alert hw-warn" key={warning}>
          {warning}
        </p>
      ))}
      <Confirm />
      {busy && <Waiting since={sender.since.value ?? 0} />}
      {sender.refusal.value && (
        <p class="hw-line" id={`${uid}-refusal`}>
          <Chip tone="bad">Not sent</Chip> {sender.refusal.value}
        </p>
      )}
      {latest && !busy && !sender.refusal.value && !sender.question.value && <Result record={latest} />}
    </section>
  );
}

/** How the receiver's certificate is checked; only https has one. */
function Tls() {
  const { state } = useView();
  const { url, verify_tls, ca } = state.inputs;
  const own = useSignal(false);
  if (!url.value.startsWith("https:")) return null;
  const mode = !verify_tls.value ? "off" : ca.value || own.value ? "ca" : "on";
  const locked = state.locked("verify_tls") || state.locked("ca");
  return (
    <>
      <Field label="Certificate" locked={locked}>
        {(ids) => (
          <select
            {...ids}
            class="hw-input"
            value={mode}
            disabled={locked}
            onChange={({ currentTarget }) => {
              own.value = currentTarget.value === "ca";
              state.edit({ verify_tls: currentTarget.value !== "off", ca: own.value ? ca.value : "" });
            }}
          >
            <option value="on">Verified</option>
            <option value="ca">Verified with my own CA</option>
            <option value="off">Not verified</option>
          </select>
        )}
      </Field>
      {mode === "ca" && (
        <Field label="CA file on the kernel's machine" class="hw-grow">
          {(ids) => (
            <input
              {...ids}
              class="hw-input hw-mono"
              spellcheck={false}
              readOnly={locked}
              placeholder="/path/to/ca.pem"
              value={ca.value}
              onInput={({ currentTarget }) => state.edit({ ca: currentTarget.value }, TYPING_MS)}
            />
          )}
        </Field>
      )}
      {mode === "off" && <Chip tone="warn">Anyone in between can read and change it</Chip>}
    </>
  );
}

/** The first delivery to a host outside this machine is confirmed by name. */
function Confirm() {
  const { sender } = useView();
  const bar = useRef<HTMLDivElement>(null);
  const question = sender.question.value;
  useEffect(() => {
    if (question) bar.current?.querySelector("button")?.focus();
  }, [question]);
  if (!question) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-confirm" role="group" aria-label="Confirm the receiver" ref={bar}>
      <span>{question.text}</span>
      <span class="hw-right">
        <Button look="primary" onClick={() => sender.send(question.again, question.host)}>
          Send to {question.host}
        </Button>
        <Button
          onClick={() => {
            sender.question.value = null;
          }}
        >
          Do not send
        </Button>
      </span>
    </div>
  );
}

function Waiting({ since }: { since: number }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = performance.now();
    }, 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (now.value - since) / 1000);
  return (
    <p class="hw-line">
      <Chip>Waiting for the receiver</Chip>
      <span>{duration(seconds)}</span>
      {seconds > 5 && <span class="hw-warn">slower than the advised 5 s</span>}
    </p>
  );
}
