/** The section of a secret or key pair. The secret itself is typed into the vault's own frame. */
import { Fragment, h, type VNode } from "preact";
import { signal } from "../../../core/signals.js";
import { Button, Chip, createCopy, Hint, Lock, Section, TextField } from "../../../ui/controls.js";
import type { Facts } from "../../../vault/facts.js";
import { type PlacedField, placeField } from "../../../vault/place.js";
import type { KeyFacts } from "../../wire.js";
import type { View } from "../view.js";

/** One for each panel that asks for a secret; the slot is the id of the provider whose secret it is. */
export function createSecret(view: View, panel: string) {
  const { state, id } = view;
  const controls = new Map<string, () => VNode>();
  return (key: KeyFacts, facts: Facts) => {
    const slot = facts.provider;
    const inKernel = state.inputs.signer() === "kernel";
    const pair = key.type === "key-pair";
    const create = pair ? createKeyPair : createSecretField;
    const control = controls.get(slot) ?? create(view, key, facts, id(`${panel}-${slot}`));
    controls.set(slot, control);
    const forget = () => {
      void state.vault.request("forget", { slot });
      state.say(pair ? "The key pair was forgotten." : "The secret was forgotten.");
    };
    return (
      <Section
        key={slot}
        id={id(`${panel}-title`)}
        title={pair ? "Key pair" : "Secret"}
        aside={
          <>
            {whereabouts(view, slot, inKernel)}
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
            {key.title}: {state.inputs.signer_label() || "set by the author of this notebook"}. This page
            never sees it.
          </Hint>
        ) : (
          control()
        )}
      </Section>
    );
  };
}

/** A chip that says where the secret is. */
function whereabouts({ state }: View, slot: string, inKernel: boolean) {
  if (inKernel) return <Chip>stays in the kernel</Chip>;
  if (state.vault.slot(slot).paused) return <Chip tone="warn">paused: too many questions</Chip>;
  if (state.vault.mode() !== "page") return <Chip>stays in this browser tab</Chip>;
  return (
    <span title="The policy of this page forbids the frame in which secrets are protected">
      <Chip tone="warn">stays in this tab, open to its scripts</Chip>
    </span>
  );
}

function createSecretField({ state, root, id: unique }: View, key: KeyFacts, facts: Facts, id: string) {
  let field: PlacedField | null = null;
  let spot: HTMLElement | null = null;
  const options = () => ({
    title: key.title,
    note: key.note,
    example: key.example,
    locked: state.locked("secret"),
    facts,
  });
  const { vault, chunks, say } = state;
  const place = (element: HTMLElement | null) => {
    field?.remove();
    spot = element;
    field = element && placeField(element, options(), { vault, chunks, root, slot: facts.provider, say, id });
  };
  let shown = "";
  return () => {
    const now = JSON.stringify(options());
    if (now !== shown) field?.show(options());
    shown = now;
    const { spent } = vault.slot(facts.provider);
    return (
      <>
        <div class="hw-place" ref={place} />
        {vault.failure() && <Hint>{vault.failure()}</Hint>}
        {vault.failure() && <Button onClick={() => place(spot)}>Try again</Button>}
        {spent > 0 && (
          <details class="hw-details">
            <summary>Questions to this secret</summary>
            <Hint id={unique(`${id}-spent`)}>{spent.toLocaleString("en-US")} in the last minute</Hint>
          </details>
        )}
      </>
    );
  };
}

function createKeyPair(view: View, key: KeyFacts, facts: Facts, id: string) {
  const { state } = view;
  const slot = facts.provider;
  const failure = signal("");
  const making = signal(false);
  const publicKey = () => {
    const held = state.held(slot);
    return held.state === "pair" ? held.publicKey : "";
  };
  const copy = createCopy(view, "public key", publicKey);

  const generate = async () => {
    if (!facts.key.pair || making()) return;
    failure.set("");
    making.set(true);
    try {
      await state.vault.request("pair", { slot, facts });
      state.say("A new key pair was made. Copy the public key into the receiver's configuration.");
    } catch (error) {
      failure.set((error as Error).message);
    } finally {
      making.set(false);
    }
  };

  return () => {
    const text = publicKey();
    const field = { id, label: key.title, value: text, onText: () => {}, readOnly: true };
    return (
      <>
        <div class="hw-row">
          {text && <TextField {...field} grow rows={text.includes("\n") ? 4 : 1} />}
          {text && copy()}
          {!state.locked("secret") && (
            <Button onClick={generate} disabled={making()}>
              {making() ? "Making a key pair…" : text ? "Generate another" : "Generate key pair"}
            </Button>
          )}
        </div>
        <Hint id={`${id}-note`}>
          {failure() && <span class="hw-bad">No key pair. {failure()} </span>}
          {text
            ? "A throw-away pair: give this public key to the receiver. The private key never leaves this tab."
            : "This provider signs with a private key. Make a throw-away pair and give its public key to the receiver."}
        </Hint>
      </>
    );
  };
}
