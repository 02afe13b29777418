/** The request as a curl command, signed here or by the shell. */
import { Pre } from "../../../ui/output.js";
import { createCopy, Fragment, Hint, h, SelectField, signal, TextField } from "../../lazy-exports.js";
import type { View } from "../view.js";
import { createKernelText } from "./kernel-text.js";

/** Maximum length to show; a browser takes half a minute to lay out the command of a 1 MB payload. */
const CURL_SHOWN = 20_000;

export function createCurl(view: View) {
  const { state, sender, id } = view;
  const picked = signal<"signed" | "env" | null>(null);
  /** If the request contains the secret, the command must read it from a variable. */
  const containsSecret = () => state.draft()?.reveals_secret === true;
  // If only a shell can send the request, prefer the command that signs by itself and can be run again.
  const defaultForm = () => (sender.needsCurl() ? "env" : "signed");
  const form = () => (containsSecret() ? "env" : (picked() ?? defaultForm()));
  const variable = signal("WEBHOOK_SECRET");
  const command = createKernelText(state, "curl");
  const copy = createCopy(view, "curl command", () => command.answer().text);

  return () => {
    const ready = form() === "signed" ? state.signedFresh() : state.draftFresh() && !state.draft()?.error;
    const stamp = JSON.stringify(form() === "signed" ? state.signed()?.signatures : state.draft()?.at);
    const subject = [form(), variable(), state.inputs.revision(), stamp].join(" ");
    if (ready) command.request(subject, { form: form(), secret_env: variable() });
    const { of, text, rejection } = command.answer();
    const fresh = ready && of === subject && text !== "";
    // Without a secret no command will follow, and the last one is that of another provider.
    const { signer, provider } = state.inputs;
    const coming = form() === "env" || ready || signer() === "kernel" || state.has(provider());
    const secretInside = containsSecret();
    // The payload is piped to curl, so it precedes the command.
    const payload = text.slice(0, Math.max(0, text.lastIndexOf("curl --")));
    return (
      <>
        <div class="hw-row">
          {!secretInside && (
            <SelectField
              id={id("curl-form")}
              label="Signature"
              grow
              value={form()}
              options={[
                ["signed", "Signed now (expires)"],
                ["env", `Signs itself from $${variable()}`],
              ]}
              onPick={(choice) => {
                command.answer.set({ of: "", text: "", rejection: "" });
                picked.set(choice);
              }}
            />
          )}
          {form() === "env" && (
            <TextField
              id={id("curl-variable")}
              label="Environment variable"
              grow={secretInside}
              value={variable()}
              onText={(name) => /^[A-Za-z_]\w*$/.test(name) && variable.set(name)}
            />
          )}
          {copy({ disabled: !fresh })}
        </div>
        {text && coming ? (
          <>
            <Pre label="curl command" stale={!fresh}>
              {payload && (
                // biome-ignore lint/a11y: text that scrolls must be a named region in the tab order
                <span class="hw-piped" role="region" tabIndex={0} aria-label="Payload in the command">
                  {payload.slice(0, CURL_SHOWN)}
                </span>
              )}
              {text.slice(payload.length)}
            </Pre>
            {payload.length > CURL_SHOWN && <Hint>Truncated here; Copy copies the whole command.</Hint>}
          </>
        ) : (
          <Hint>
            {rejection || (form() === "signed" ? "Available once the request is signed." : "Loading…")}
          </Hint>
        )}
      </>
    );
  };
}
