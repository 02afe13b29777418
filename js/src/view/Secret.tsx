/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/**
 * The secret: typed here, handed to the holder, known to nothing else.
 *
 * While it is being typed nothing is signed. A signature for each key press would let whoever reads the kernel's
 * messages find the secret one character at a time; so it counts from Enter, from leaving the field, or at once
 * when it is pasted or filled in whole.
 */
import { Fragment, h, type VNode } from "preact";
import { count } from "../bytes.js";
import { makeSecret } from "../primitives.js";
import { signal } from "../signals.js";
import type { KeyFacts } from "../wire.js";
import { Button, Chip, createCopy, Field, Hint, Lock, Section, TextField } from "./ui.js";
import type { View } from "./view.js";

interface SecretControl {
  draw(): VNode;
  clear(): void;
}

/** One for each panel that asks for a secret; `slot` is the id of the provider whose secret it is. */
export function createSecret(view: View, panel: string) {
  const { state, id } = view;
  const controls = new Map<string, SecretControl>();
  return (slot: string, facts: KeyFacts) => {
    const inKernel = state.inputs.signer() === "kernel";
    const pair = facts.type === "key-pair";
    const create = pair ? createKeyPair : createSecretField;
    const control = controls.get(slot) ?? create(view, slot, facts, id(`${panel}-${slot}`));
    controls.set(slot, control);
    const forget = () => {
      state.holder.clear(slot);
      control.clear();
      state.secretField.set(null);
      state.secretsChanged();
      state.say(pair ? "The key pair was forgotten." : "The secret was forgotten.");
    };
    return (
      <Section
        key={slot}
        id={id(`${panel}-title`)}
        title={pair ? "Key pair" : "Secret"}
        aside={
          <>
            <Chip>{inKernel ? "stays in the kernel" : "stays in this browser tab"}</Chip>
            {state.locked("secret") && <Lock />}
          </>
        }
        actions={
          state.has(slot) && (
            <Button look="quiet" onClick={forget}>
              Forget
            </Button>
          )
        }
      >
        {inKernel ? (
          <Hint>
            {facts.title}: {state.inputs.signer_label() || "set by the author of this notebook"}. This page
            never sees it.
          </Hint>
        ) : (
          control.draw()
        )}
      </Section>
    );
  };
}

function createSecretField(view: View, slot: string, facts: KeyFacts, id: string): SecretControl {
  const { state } = view;
  const me = {};
  const typing = signal(false);
  const length = signal(0);
  const visible = signal(false);
  let input: HTMLInputElement | null = null;
  const keepInput = (element: HTMLInputElement | null) => {
    input = element;
    if (!element) length.set(0); // a field that comes back is empty, the holder still has the secret
  };
  const clear = () => {
    if (input) input.value = "";
    length.set(0);
  };
  const copy = createCopy(view, "secret", () => input?.value ?? "");

  const use = () => {
    typing.set(false);
    length.set(input?.value.length ?? 0);
    state.holder.set(slot, input?.value ?? "");
    state.secretField.set(me);
    state.secretsChanged();
  };
  const useTyped = () => typing() && use();
  const onInput = () => {
    const now = input?.value.length ?? 0;
    if (now === 0 || now > length() + 1) return use();
    length.set(now);
    typing.set(true);
  };
  const put = (secret: string, said: string) => {
    if (input) input.value = secret;
    use();
    state.say(said);
  };

  const note = () => {
    const held = state.held(slot, facts);
    if (typing()) return "Press Enter to sign with it.";
    if (held.state === "malformed") {
      return (
        <>
          <span class="hw-bad">Cannot be used.</span> {held.problem}.
        </>
      );
    }
    if (held.state !== "usable")
      return "No secret in this tab. It is never saved: type it again after a reload.";
    return (
      <>
        {count(held.bytes, "byte")}
        {facts.note && `, ${facts.note}`}
        {held.blanks && <span class="hw-warn"> · begins or ends with a blank, which counts</span>}
      </>
    );
  };

  const draw = () => {
    // Another field has the newer secret: the dots of this one would be of an older.
    if (state.secretField() !== me && length() > 0 && !typing()) clear();
    const { example } = facts;
    const locked = state.locked("secret");
    return (
      <>
        <div class="hw-row">
          <Field id={id} label={facts.title} grow>
            <input
              ref={keepInput}
              id={id}
              class="hw-input hw-mono"
              type={(visible() ? "text" : "password") as "password"}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              data-1p-ignore=""
              data-lpignore="true"
              data-bwignore="true"
              data-form-type="other"
              aria-describedby={`${id}-note`}
              disabled={locked}
              placeholder={state.has(slot) ? "kept in this tab" : ""}
              onInput={onInput}
              onChange={useTyped}
              onKeyDown={({ key }) => key === "Enter" && useTyped()}
            />
          </Field>
          {length() > 0 && (
            <Button onClick={() => visible.set(!visible())}>{visible() ? "Hide" : "Show"}</Button>
          )}
          {length() > 0 && copy()}
          {example && !locked && (
            <Button
              title="A fresh throw-away secret in the provider's own form"
              onClick={() =>
                put(makeSecret(example), "A new secret was made. Copy it into the receiver's configuration.")
              }
            >
              Generate
            </Button>
          )}
        </div>
        <Hint id={`${id}-note`}>{note()}</Hint>
      </>
    );
  };
  return { draw, clear };
}

function createKeyPair(view: View, slot: string, facts: KeyFacts, id: string): SecretControl {
  const { state } = view;
  const failure = signal("");
  const making = signal(false);
  const publicText = () => {
    const held = state.held(slot, facts);
    return held.state === "pair" ? held.publicText(facts.public_form ?? "base64-spki") : "";
  };
  const copy = createCopy(view, "public key", publicText);

  const generate = async () => {
    if (!facts.algorithm || making()) return;
    failure.set("");
    making.set(true);
    try {
      const { generatePair } = await state.chunks.load("curves");
      state.holder.setPair(slot, await generatePair(facts.algorithm));
      state.secretsChanged();
      state.say("A new key pair was made. Copy the public key into the receiver's configuration.");
    } catch (error) {
      failure.set((error as Error).message);
    } finally {
      making.set(false);
    }
  };

  const draw = () => {
    const key = publicText();
    const field = { id, label: facts.title, value: key, onText: () => {}, readOnly: true };
    return (
      <>
        <div class="hw-row">
          {key && <TextField {...field} grow rows={key.includes("\n") ? 4 : 1} />}
          {key && copy()}
          {!state.locked("secret") && (
            <Button onClick={generate} disabled={making()}>
              {making() ? "Making a key pair…" : key ? "Generate another" : "Generate key pair"}
            </Button>
          )}
        </div>
        <Hint id={`${id}-note`}>
          {failure() && <span class="hw-bad">No key pair. {failure()} </span>}
          {key
            ? "A throw-away pair: give this public key to the receiver. The private key never leaves this tab."
            : "This provider signs with a private key. Make a throw-away pair and give its public key to the receiver."}
        </Hint>
      </>
    );
  };
  return { draw, clear: () => {} };
}
