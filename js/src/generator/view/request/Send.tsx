/** The receiver and the one primary button. */
import { type ComponentChildren, Fragment, h } from "preact";
import { signal } from "../../../core/signals.js";
import { Button, Chip, Hint, SelectField, TextField } from "../../../ui/controls.js";
import { TYPING_MS } from "../../state.js";
import type { View } from "../view.js";
import { keptBack } from "./Request.js";

/** `outcome` draws what became of it, which comes with the lazy panels. */
export function createSend(view: View, outcome: () => ComponentChildren) {
  const { state, sender, id } = view;
  const { url, provider, signer } = state.inputs;
  const tls = createTls(view);

  /** Steps to take before anything can be sent. */
  const missing = () => {
    if (!url()) return "Enter the receiver's URL first.";
    if (keptBack(state)) {
      return "This provider sends the secret itself, which never leaves this tab. Run the curl command, or pass secret=Secret.from_env(…) to the widget.";
    }
    if (signer() === "kernel" || state.has(provider()) || state.signedFresh()) return "";
    return state.provider()?.key.type === "key-pair"
      ? "Generate a key pair first."
      : "Enter the secret first.";
  };

  /** As the button does: also by key. */
  const ready = () => sender.since() === null && state.kernel() !== "none" && missing() === "";
  const send = () => {
    if (ready()) void sender.send();
    else if (missing()) state.say(missing());
  };
  /** A question about the host is answered by its own buttons, never by a key that was pressed for sending. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // or the notebook would run the cell
    if (!event.repeat && !sender.question()) send();
  };

  const draw = () => {
    const busy = sender.since() !== null;
    const none = state.kernel() === "none";
    const todo = missing();
    const any = busy || sender.rejection() || sender.question() || state.deliveries().length > 0;
    return (
      <section class="hw-send" aria-label="Send">
        <div class="hw-row">
          <TextField
            id={id("url")}
            label="Receiver URL"
            grow
            type="url"
            locked={state.locked("url")}
            placeholder="http://127.0.0.1:8000/webhooks"
            value={url()}
            onText={(text) => state.edit({ url: text.trim() }, TYPING_MS)}
            onEnter={() => sender.question() ?? send()}
          />
          {tls()}
          <Button
            look={sender.question() ? "" : "primary"}
            disabled={busy || none || todo !== ""}
            title={todo || "Ctrl+Enter or ⌘+Enter"}
            onClick={send}
          >
            {busy ? "Sending…" : "Send test payload"}
          </Button>
        </div>
        {todo && !none && <Hint>{todo}</Hint>}
        {state.draft()?.warnings.map((warning) => (
          <p class="hw-alert hw-warn">{warning}</p>
        ))}
        {any && outcome()}
      </section>
    );
  };
  return { draw, onKeyDown };
}

/** Verification of the receiver's certificate; only for https. */
function createTls({ state, id }: View) {
  const { url, verify_tls, ca } = state.inputs;
  const own = signal(false);
  return () => {
    if (!url().startsWith("https:")) return null;
    const mode = !verify_tls() ? "off" : ca() || own() ? "ca" : "on";
    return (
      <>
        <SelectField
          id={id("tls")}
          label="TLS certificate"
          locked={state.locked("verify_tls") || state.locked("ca")}
          value={mode}
          options={[
            ["on", "Verify"],
            ["ca", "Verify with custom CA"],
            ["off", "Do not verify"],
          ]}
          onPick={(picked) => {
            own.set(picked === "ca");
            state.edit({ verify_tls: picked !== "off", ca: own() ? ca() : "" });
          }}
        />
        {mode === "ca" && (
          <TextField
            id={id("ca")}
            label="CA file (on the kernel's machine)"
            grow
            locked={state.locked("ca")}
            placeholder="/path/to/ca.pem"
            value={ca()}
            onText={(path) => state.edit({ ca: path }, TYPING_MS)}
          />
        )}
        {mode === "off" && <Chip tone="warn">Insecure: traffic can be intercepted</Chip>}
      </>
    );
  };
}
