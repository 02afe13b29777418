/** Status of the signature. */
import type { Tone } from "../ui/controls.js";
import type { State } from "./state.js";

/** True if the request contains this tab's secret, which the kernel does not have. */
export function containsTabSecret({ draft, inputs }: State): boolean {
  return Boolean(draft()?.reveals_secret) && inputs.signer() === "browser";
}

/** Returns tone and text of the signature's status. */
export function statusOf(state: State): [tone: Tone, text: string] {
  const provider = state.provider();
  const held = provider && state.held(provider.id).state;
  const kernel = state.kernel();
  if (kernel === "none") return ["plain", "Saved, no kernel"];
  if (kernel === "gone") return ["bad", "No kernel"];
  if (kernel === "waiting") return ["warn", "Waiting for the kernel"];
  if (state.draftFresh() && state.draft()?.error) return ["bad", "Invalid request"];
  if (containsTabSecret(state)) return ["plain", "Contains the secret"];
  if (state.signedFresh()) return ["ok", "Signature up to date"];
  if (held === "malformed") return ["bad", "Invalid secret"];
  if (held === "none" && state.inputs.signer() === "browser") {
    return ["plain", `Not signed: no ${provider?.key.type === "key-pair" ? "key pair" : "secret"}`];
  }
  return ["warn", "Signing…"];
}
