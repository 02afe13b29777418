/**
 * The secret: typed here, handed to the holder, known to nothing else.
 *
 * While it is being typed nothing is signed. A signature for each key press would let whoever reads the kernel's
 * messages find the secret one character at a time; so it counts from Enter, from leaving the field, or at once
 * when it is pasted or filled in whole.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { count } from "../bytes.js";
import { makeSecret } from "../primitives.js";
import type { KeyFacts } from "../wire.js";
import { useUid, useView } from "./context.js";
import { Button, Chip, CopyButton, Lock } from "./ui.js";

type Props = {
  /** Whose secret: a provider's id. */
  slot: string;
  facts: KeyFacts;
};

export function Secret({ slot, facts }: Props) {
  const { state } = useView();
  const uid = useUid();
  const inKernel = state.inputs.signer.value === "kernel";
  const locked = state.locked("secret");
  const where = inKernel ? "stays in the kernel" : "stays in this browser tab";
  const pair = facts.type === "key-pair";
  return (
    <section class="hw-section" aria-labelledby={`${uid}-title`}>
      <div class="hw-head">
        <h3 id={`${uid}-title`}>{pair ? "Key pair" : "Secret"}</h3>
        <Chip>{where}</Chip>
        {locked && <Lock />}
      </div>
      {inKernel ? (
        <p class="hw-hint">
          {facts.title}: {state.inputs.signer_label.value || "set by the author of this notebook"}. This page
          never sees it.
        </p>
      ) : pair ? (
        <KeyPair key={slot} slot={slot} facts={facts} locked={locked} />
      ) : (
        <SecretField key={slot} slot={slot} facts={facts} locked={locked} />
      )}
    </section>
  );
}

type FieldProps = Props & { locked: boolean };

function SecretField({ slot, facts, locked }: FieldProps) {
  const { state } = useView();
  const uid = useUid();
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(0);
  const shown = useSignal(false);
  const typing = useSignal(false);
  const filled = useSignal(false);

  const use = () => {
    typing.value = false;
    filled.value = field.current?.value !== "";
    state.holder.set(slot, field.current?.value ?? "");
    state.secretsChanged();
  };
  const onInput = () => {
    const { length } = field.current?.value ?? "";
    const atOnce = length === 0 || length > before.current + 1;
    before.current = length;
    filled.value = length > 0;
    if (atOnce) use();
    else typing.value = true;
  };
  const put = (text: string) => {
    if (field.current) field.current.value = text;
    before.current = text.length;
    use();
  };

  return (
    <>
      <div class="hw-row">
        <div class="hw-field hw-grow">
          <label for={uid}>{facts.title}</label>
          <input
            ref={field}
            id={uid}
            class="hw-input hw-mono"
            type="password"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            data-1p-ignore=""
            data-lpignore="true"
            data-bwignore="true"
            data-form-type="other"
            aria-describedby={`${uid}-state`}
            disabled={locked}
            placeholder={state.secrets.value >= 0 && state.holder.has(slot) ? "kept in this tab" : ""}
            onInput={onInput}
            onChange={() => typing.value && use()}
            onKeyDown={(event) => event.key === "Enter" && typing.value && use()}
          />
        </div>
        {filled.value && (
          <>
            <Button
              onClick={() => {
                shown.value = !shown.value;
                if (field.current) field.current.type = shown.value ? "text" : "password";
              }}
            >
              {shown.value ? "Hide" : "Show"}
            </Button>
            <CopyButton what="secret" content={() => field.current?.value ?? ""} />
          </>
        )}
        {facts.example && !locked && (
          <Button
            title="A fresh throw-away secret in the provider's own form"
            onClick={() => {
              if (facts.example) put(makeSecret(facts.example));
              state.spoken.value = "A new secret was made. Copy it into the receiver's configuration.";
            }}
          >
            Generate
          </Button>
        )}
        {state.secrets.value >= 0 && state.holder.has(slot) && (
          <Button
            look="quiet"
            onClick={() => {
              put("");
              state.spoken.value = "The secret was forgotten.";
            }}
          >
            Forget
          </Button>
        )}
      </div>
      <p class="hw-hint" id={`${uid}-state`}>
        {typing.value ? (
          <>
            Press <kbd>Enter</kbd> to sign with it.
          </>
        ) : (
          <HeldNote slot={slot} facts={facts} />
        )}
      </p>
    </>
  );
}

function HeldNote({ slot, facts }: Props) {
  const { state } = useView();
  const held = state.secrets.value >= 0 ? state.holder.describe(slot, facts) : { state: "none" as const };
  if (held.state === "malformed") {
    return (
      <>
        <span class="hw-bad">Cannot be used.</span> {held.problem}.
      </>
    );
  }
  if (held.state === "usable") {
    return (
      <>
        {count(held.bytes, "byte")}
        {facts.note && `, ${facts.note}`}
        {held.blanks && <span class="hw-warn"> · begins or ends with a blank, which counts</span>}
      </>
    );
  }
  return <>No secret in this tab. It is never saved, so it must be typed again after a reload.</>;
}

function KeyPair({ slot, facts, locked }: FieldProps) {
  const { state } = useView();
  const uid = useUid();
  const text = useSignal("");
  const failure = useSignal("");
  const held = state.secrets.value >= 0 ? state.holder.describe(slot, facts) : { state: "none" as const };
  const algorithm = facts.algorithm;
  const publicKey = held.state === "pair" ? held.publicKey : null;

  const attempt = async (action: () => Promise<void>) => {
    failure.value = "";
    try {
      await action();
    } catch (error) {
      failure.value = (error as Error).message;
    }
  };
  useEffect(() => {
    text.value = "";
    if (!publicKey || !algorithm) return;
    void attempt(async () => {
      const { publicText } = await state.chunks.load("curves");
      text.value = publicText(algorithm, publicKey, facts.public_form ?? "base64-spki");
    });
  }, [publicKey]);

  const generate = () =>
    attempt(async () => {
      if (!algorithm) return;
      const { generatePair } = await state.chunks.load("curves");
      state.holder.setPair(slot, generatePair(algorithm));
      state.secretsChanged();
      state.spoken.value = "A new key pair was made. Copy the public key into the receiver's configuration.";
    });

  return (
    <>
      <div class="hw-row">
        {publicKey && (
          <div class="hw-field hw-grow">
            <label for={uid}>{facts.title}</label>
            <input
              id={uid}
              class="hw-input hw-mono"
              readOnly
              value={text.value}
              aria-describedby={`${uid}-note`}
            />
          </div>
        )}
        {publicKey && <CopyButton what="public key" content={() => text.value} />}
        {!locked && (
          <Button onClick={generate}>{publicKey ? "Generate another" : "Generate key pair"}</Button>
        )}
        {publicKey && (
          <Button
            look="quiet"
            onClick={() => {
              state.holder.clear(slot);
              state.secretsChanged();
            }}
          >
            Forget
          </Button>
        )}
      </div>
      <p class="hw-hint" id={`${uid}-note`}>
        {failure.value ? (
          <>
            <span class="hw-bad">No key pair.</span> {failure.value}
          </>
        ) : publicKey ? (
          "A throw-away pair: give this public key to the receiver. The private key never leaves this tab."
        ) : (
          "This provider signs with a private key. Make a throw-away pair and give its public key to the receiver."
        )}
      </p>
    </>
  );
}
