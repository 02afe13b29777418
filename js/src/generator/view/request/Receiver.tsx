/** Shared by Generate and Check: the receiver's URL field, and the next step. */
import { h } from "preact";
import { TextField, type TextProps } from "../../../ui/controls.js";
import { TYPING_MS } from "../../inputs.js";
import type { State } from "../../state.js";
import { containsTabSecret } from "../../status.js";
import type { View } from "../view.js";

/** Draws the draft's error if it is about this input. */
export function errorAt({ draft, draftFresh }: State, field: string) {
  const error = draftFresh() && draft()?.error;
  return error && error.field === field && <span class="hw-bad">{error.text}</span>;
}

/**
 * Returns what the user must do before sending; "" if nothing. `withToken` applies if the request contains a token
 * of this tab.
 */
export function missing(state: State, withToken: string): string {
  const { url, provider, signer } = state.inputs;
  if (!url()) return "Enter the receiver's URL first.";
  const error = state.draftFresh() && state.draft()?.error;
  if (error && error.field === "url") return "Correct the receiver's URL first.";
  if (error) return `Correct this first: ${error.text}.`;
  if (withToken && containsTabSecret(state)) return withToken;
  if (signer() === "browser" && state.held(provider()).state === "malformed")
    return "Correct the secret first.";
  if (signer() === "kernel" || state.has(provider()) || state.signedFresh()) return "";
  return state.provider()?.key.type === "key-pair" ? "Generate a key pair first." : "Enter the secret first.";
}

/** Field of the receiver's URL; that of Generate has its error in the row below. */
export function UrlField({
  view: { state, id },
  name,
  ...more
}: { view: View; name: string } & Partial<TextProps>) {
  return (
    <TextField
      id={id(name)}
      label="Receiver URL"
      grow
      type="url"
      locked={state.locked("url")}
      placeholder="http://127.0.0.1:8000/webhooks"
      value={state.inputs.url()}
      invalid={Boolean(errorAt(state, "url"))}
      hint={name !== "url" && errorAt(state, "url")}
      onText={(text) => state.edit({ url: text.trim() }, TYPING_MS)}
      {...more}
    />
  );
}
