/** Section for a secret or key pair. The secret itself is typed into the vault's own frame. */
import type { VNode } from "preact";
import type { Vault } from "../../../vault/client.js";
import type { Facts } from "../../../vault/facts.js";
import type { PlacedField } from "../../../vault/place.js";
import {
  Button,
  Chip,
  createCopy,
  effect,
  Fragment,
  Hint,
  h,
  Lock,
  placeField,
  Section,
  signal,
  TextField,
  UNKNOWN_PROVIDER,
} from "../../lazy-exports.js";
import type { State } from "../../state.js";
import type { KeyFacts } from "../../wire.js";
import type { PanelName, View } from "../view.js";

/** A request that takes longer does not hold up the field. */
const REQUEST_MS = 300;

/**
 * Creates the section of one panel. Its slot is the id of the provider; all panels share one secret per provider,
 * and say so. Check has further secrets: their slots are the id, an underscore and the role.
 */
export function createSecret(view: View, panel: "generate" | "verify" | "check") {
  const { state, id } = view;
  const before = state.secrets();
  const enteredIn = signal<Readonly<Record<string, PanelName>>>({});
  view.ends.addEventListener(
    "abort",
    effect(() => {
      if (state.secrets() === before) return;
      enteredIn.set({ ...enteredIn.peek(), [state.lastSecret()]: view.panel.peek() });
    }),
  );
  const shared = (slot: string) => {
    if (slot === UNKNOWN_PROVIDER) return <Hint>This secret is used in Verify only.</Hint>;
    if (slot.includes("_")) return <Hint>This secret is used in Check only.</Hint>;
    const other = panel === "generate" ? "Verify" : "Generate";
    const elsewhere = state.has(slot) && enteredIn()[slot] === other.toLowerCase();
    return (
      <Hint>
        {elsewhere && <span class="hw-warn">Entered in {other}. </span>}
        Same secret as in {other}; a new one counts in all tabs of this widget.
      </Hint>
    );
  };
  const controls = new Map<string, () => VNode>();
  return (key: KeyFacts, facts: Facts, title = "") => {
    const slot = facts.provider;
    const inKernel = state.inputs.signer() === "kernel";
    const pair = key.type === "key-pair";
    const create = pair ? createKeyPair : createSecretField;
    const control = controls.get(slot) ?? create(view, key, facts, id(`${panel}-secret-${slot}`));
    controls.set(slot, control);
    const forget = () => {
      void state.vault.request("forget", { slot });
      state.say(pair ? "Key pair removed." : "Secret removed.");
    };
    return (
      <Section
        key={slot}
        id={id(`${panel}-secret-title-${slot}`)}
        title={title || (pair ? "Key pair" : "Secret")}
        aside={
          <>
            {storageChip(view, slot, inKernel)}
            {state.locked("secret") && <Lock />}
          </>
        }
        actions={
          state.has(slot) && (
            <Button look="quiet" onClick={forget}>
              Remove
            </Button>
          )
        }
      >
        {inKernel ? (
          <Hint>
            {key.title}: {state.inputs.signer_label() || "set by the notebook's author"}. It is never sent to
            this page.
          </Hint>
        ) : (
          <>
            {control()}
            {!pair && shared(slot)}
          </>
        )}
      </Section>
    );
  };
}

/** Chip that says where the secret is stored. */
function storageChip({ state }: View, slot: string, inKernel: boolean) {
  if (inKernel) return <Chip>Kept in the kernel</Chip>;
  if (state.vault.slot(slot).paused) return <Chip tone="warn">Paused</Chip>;
  if (state.vault.mode() !== "page") return <Chip>Kept in this browser tab</Chip>;
  return (
    <span title="The frame that isolates secrets does not run in this page">
      <Chip tone="warn">Kept in this tab, visible to page scripts</Chip>
    </span>
  );
}

/**
 * Calls `action` when the request is painted, which a frame that loads would hold up by as much time as all the rest
 * takes; at the latest after `REQUEST_MS`. Returns a function that cancels it.
 */
function afterRequest({ draftFresh }: State, action: () => void) {
  let waits = true;
  const cancel = () => {
    waits = false;
    stop();
    clearTimeout(timer);
  };
  const run = () => {
    if (!waits) return;
    cancel();
    action();
  };
  const timer = setTimeout(run, REQUEST_MS);
  const stop = effect(() => {
    if (draftFresh()) requestAnimationFrame(() => setTimeout(run));
  });
  return cancel;
}

function createSecretField({ state, root, ends, id: unique }: View, key: KeyFacts, facts: Facts, id: string) {
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
  let cancel = () => {};
  const place = (element: HTMLElement | null) => {
    cancel();
    field?.remove();
    field = null;
    spot = element;
    if (!element) return;
    cancel = afterRequest(state, () => {
      field = placeField(element, options(), { vault, chunks, root, slot: facts.provider, say, id });
    });
  };
  let shown = "";
  // The question must be fully visible before it can be answered.
  const stop = effect(() => {
    if (vault.slot(facts.provider).asking) setTimeout(() => spot?.scrollIntoView({ block: "center" }), 200);
  });
  ends.addEventListener("abort", stop);
  return () => {
    const now = JSON.stringify(options());
    if (now !== shown) field?.show(options());
    shown = now;
    const { spent } = vault.slot(facts.provider);
    return (
      <>
        {vault.doubt() ? (
          <Unprotected vault={vault} />
        ) : (
          // The browser scrolls a frame into view without its margin: the bar with Send would cover the field.
          <div
            class="hw-place"
            ref={place}
            onFocusIn={(event) => event.currentTarget.scrollIntoView({ block: "nearest" })}
          />
        )}
        {vault.failure() && !vault.doubt() && (
          <>
            <Hint>{vault.failure()}</Hint>
            <Button onClick={() => place(spot)}>Retry</Button>
          </>
        )}
        {/* Shown without a secret, too: a line that comes and goes would move the page. */}
        <details class="hw-details">
          <summary>Secret usage</summary>
          <Hint id={unique(`${id}-spent`)}>{spent.toLocaleString("en-US")} uses in the last minute</Hint>
        </details>
      </>
    );
  };
}

/** Shown instead of a field that cannot be protected: reason, alternatives, and the decision. */
function Unprotected({ vault }: { vault: Vault }) {
  const doubt = vault.doubt();
  // Scripts of the page cannot trigger this.
  const accept = ({ isTrusted }: MouseEvent) => isTrusted && vault.settle(doubt);
  return (
    <div role="alert">
      <p class="hw-hint">
        <span class="hw-warn">Not protected: {vault.failure()}.</span> Other ways: pass
        secret=Secret.from_env("NAME") to the widget, or run the command of the tab curl, which reads the
        secret in your shell.
      </p>
      <div class="hw-row">
        <Button onClick={() => vault.settle(null)}>Retry</Button>
        <button type="button" class="hw-btn" onClick={accept}>
          {doubt === "silent" ? "Use a field without protection" : "Use the field anyway"}
        </button>
      </div>
    </div>
  );
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
      state.say("New key pair. Copy the public key into the receiver's configuration.");
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
        {state.vault.doubt() && <Unprotected vault={state.vault} />}
        <div class="hw-row">
          {text && <TextField {...field} grow rows={text.includes("\n") ? 4 : 1} />}
          {text && copy()}
          {!state.locked("secret") && (
            <Button onClick={generate} disabled={making()}>
              {making() ? "Generating…" : text ? "Regenerate" : "Generate key pair"}
            </Button>
          )}
        </div>
        <Hint id={`${id}-note`}>
          {failure() && <span class="hw-bad">Not generated: {failure()} </span>}
          {text
            ? "Test key pair: configure this public key in the receiver. The private key never leaves this tab."
            : "This provider signs with a private key: generate a test key pair, and configure its public key in the receiver."}
        </Hint>
      </>
    );
  };
}
