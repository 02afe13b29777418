/** Section that sends the request: the receiver, the primary button, and the outcome. */
import { h } from "preact";
import { Button, Hint, Jump, Section } from "../../../ui/controls.js";
import { keepInSight } from "../../../ui/in-sight.js";
import { containsTabSecret } from "../../status.js";
import type { Lazy } from "../Lazy.js";
import type { View } from "../view.js";
import { errorAt, missing, UrlField } from "./Receiver.js";
import { SendButton } from "./SendButton.js";

const CANNOT_ASK =
  "This provider sends the secret itself, and this page cannot ask you safely. Run the curl command, or pass secret=Secret.from_env(…) to the widget.";
const ASKS = "This provider sends the secret itself. Its field asks you before it goes to the kernel.";

export function createSend(view: View, lazy: Lazy) {
  const { state, sender, root, id } = view;
  const { todoNow, send, paste, onKeyDown, answered } = createSending(view);
  const sendSeveral = () => {
    view.checkPart.set("run");
    view.panel.set("check");
    root.querySelector<HTMLElement>(`#${id("panel")}-check-tab`)?.focus();
  };
  let bar: HTMLElement | null = null;
  const stay = (element: HTMLElement | null) => {
    if (element && element !== bar) keepInSight(element, view.ends);
    bar = element ?? bar;
  };

  const draw = () => {
    const none = state.kernel() === "none";
    const todo = todoNow();
    const imported = view.pasteResult();
    return (
      <section class="hw-send" aria-label="Send">
        <div class="hw-send-bar" ref={stay}>
          <div class="hw-row">
            <UrlField
              view={view}
              name="url"
              placeholder="http://127.0.0.1:8000/webhooks, or paste a curl command, HAR or raw request"
              onEnter={() => sender.question() ?? send()}
              onPaste={paste}
            />
            {state.inputs.url().startsWith("https:") && !none && lazy("tls")}
            <SendButton
              view={view}
              look={sender.question() ? "" : "primary"}
              disabled={none || todo !== ""}
              title={todo || "Ctrl+Enter or ⌘+Enter"}
              onSend={send}
            >
              Send
            </SendButton>
          </div>
          <Jump root={root} to=".hw-response">
            Go to response
          </Jump>
        </div>
        {view.pasted() && <Hint>Importing…</Hint>}
        {imported?.revision === state.inputs.revision() && (
          <p class={`hw-alert ${imported.ok ? "" : "hw-bad"}`}>{imported.text}</p>
        )}
        {!none && (
          <div class="hw-row hw-middle">
            <Button look="quiet" onClick={sendSeveral}>
              Send several events
            </Button>
            {errorAt(state, "url") && <Hint id={id("url-hint")}>{errorAt(state, "url")}</Hint>}
            {state.draft()?.warnings.map((warning) => (
              <Hint>
                <span class="hw-warn">{warning}</span>
              </Hint>
            ))}
          </div>
        )}
      </section>
    );
  };

  const response = () => {
    const todo = state.kernel() === "none" ? "" : todoNow();
    return (
      <div class="hw-response">
        <Section
          id={id("response")}
          title="Response"
          actions={
            <Jump root={root} to=".hw-inputs">
              Go to inputs
            </Jump>
          }
        >
          {answered() ? (
            [lazy("outcome"), todo && <Hint>{todo}</Hint>]
          ) : (
            <Hint>{todo || (containsTabSecret(state) ? ASKS : "Not sent yet.")}</Hint>
          )}
        </Section>
      </div>
    );
  };
  return { draw, response, onKeyDown };
}

/** Starts deliveries, by button or by key. */
function createSending({ state, sender, pasted, pasteResult }: View) {
  const todoNow = () => missing(state, state.vault.mode() === "page" ? CANNOT_ASK : "");

  /** True if a delivery can start, by button or by key. */
  const ready = () => sender.since() === null && !sender.running() && state.kernel() !== "none" && !todoNow();
  const send = () => {
    if (ready()) void sender.send();
    else if (todoNow()) state.say(todoNow());
  };
  /** Imports a pasted text other than a URL as a recording, because it may contain a secret, and that is redacted. */
  const paste = (text: string) => {
    const recording = !/^https?:/i.test(text.trim()) && /\s|^[[{]/.test(text.trim());
    if (!recording || state.locked("url")) return false;
    pasteResult.set(null);
    pasted.set(text);
    return true;
  };
  /** Ctrl+Enter sends. It never answers the question about the host: only its buttons do. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the notebook runs the cell
    if (!event.repeat && !sender.question()) send();
  };

  const answered = () =>
    sender.since() !== null ||
    sender.rejection() ||
    sender.question() ||
    state.deliveries().some(({ imported }) => !imported);
  return { todoNow, send, paste, onKeyDown, answered };
}
