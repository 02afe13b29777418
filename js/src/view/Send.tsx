/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** The receiver, the one primary button, and the latest answer. */
import { Fragment, h } from "preact";
import { TYPING_MS } from "../model.js";
import { effect, signal } from "../signals.js";
import { keptBack } from "./Request.js";
import { Elapsed, Result } from "./Result.js";
import { Button, Chip, Hint, SelectField, TextField } from "./ui.js";
import type { View } from "./view.js";

export function createSend(view: View) {
  const { state, sender, id } = view;
  const { url, provider, signer } = state.inputs;
  const tls = createTls(view);
  const confirm = createConfirm(view);
  const waiting = createWaiting(view);

  /** What is to be done before anything can be sent. */
  const missing = () => {
    if (!url()) return "Enter the receiver's URL first.";
    if (keptBack(state)) {
      return "This provider sends the secret itself, which stays in this tab: run the curl command, or give the secret to the kernel (secret=Secret.from_env(…)).";
    }
    if (signer() === "kernel" || state.has(provider()) || state.signedFresh()) return "";
    return state.provider()?.key.type === "key-pair"
      ? "Generate a key pair first."
      : "Enter the secret first.";
  };

  return () => {
    const latest = state.deliveries()[0];
    const busy = sender.since() !== null;
    const none = state.kernel() === "none";
    const todo = missing();
    const quiet = busy || sender.refusal() || sender.question();
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
          />
          {tls()}
          <Button
            look={sender.question() ? "" : "primary"}
            disabled={busy || none || todo !== ""}
            title={todo}
            onClick={() => sender.send()}
          >
            {busy ? "Sending…" : "Send test payload"}
          </Button>
        </div>
        {todo && !none && <Hint>{todo}</Hint>}
        {state.draft()?.warnings.map((warning) => (
          <p class="hw-alert hw-warn">{warning}</p>
        ))}
        {confirm()}
        {busy && waiting()}
        {sender.refusal() && (
          <p class="hw-line">
            <Chip tone="bad">Not sent</Chip> {sender.refusal()}
          </p>
        )}
        {latest && !quiet && <Result record={latest} />}
      </section>
    );
  };
}

/** How the receiver's certificate is checked; only https has one. */
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
          label="Certificate"
          locked={state.locked("verify_tls") || state.locked("ca")}
          value={mode}
          options={[
            ["on", "Verified"],
            ["ca", "Verified with my own CA"],
            ["off", "Not verified"],
          ]}
          onPick={(picked) => {
            own.set(picked === "ca");
            state.edit({ verify_tls: picked !== "off", ca: own() ? ca() : "" });
          }}
        />
        {mode === "ca" && (
          <TextField
            id={id("ca")}
            label="CA file on the kernel's machine"
            grow
            locked={state.locked("ca")}
            placeholder="/path/to/ca.pem"
            value={ca()}
            onText={(path) => state.edit({ ca: path }, TYPING_MS)}
          />
        )}
        {mode === "off" && <Chip tone="warn">Anyone in between can read and change it</Chip>}
      </>
    );
  };
}

/** The first delivery to a host outside this machine is confirmed by name. */
function createConfirm({ sender, root }: View) {
  // The focus goes to the question, and back when it is answered.
  const focus = (bar: HTMLElement | null) => {
    const button = () =>
      (bar ?? root.querySelector(".hw-send"))?.querySelector<HTMLElement>(".hw-btn")?.focus();
    setTimeout(button);
  };
  return () => {
    const question = sender.question();
    if (!question) return null;
    return (
      // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
      <div class="hw-confirm" role="group" aria-label="Confirm the receiver" ref={focus}>
        <span>{question.text}</span>
        <span class="hw-right">
          <Button look="primary" onClick={() => sender.send(question.again, question.host)}>
            Send to {question.host}
          </Button>
          <Button onClick={() => sender.question.set(null)}>Do not send</Button>
        </span>
      </div>
    );
  };
}

/** The seconds that a delivery takes, while it takes them. */
function createWaiting({ state, sender }: View) {
  const now = signal(0);
  let timer: ReturnType<typeof setInterval> | undefined;
  effect(() => {
    clearInterval(timer);
    if (sender.since() !== null) timer = setInterval(() => now.set(performance.now()), 200);
  });
  return () => (
    <p class="hw-line">
      <Chip>Waiting for the {state.kernel() === "waiting" ? "kernel" : "receiver"}</Chip>
      <Elapsed seconds={Math.max(0, (now() - (sender.since() ?? 0)) / 1000)} />
    </p>
  );
}
