/** Pasted recordings: redacted in the vault, then parsed by the kernel. */

import { type ImportedRequest, imported } from "./replies.js";
import type { State } from "./state.js";

/** Destination of a recording: its first request to Verify or the editor, or all requests to History. */
export type Target = "verify" | "editor" | "history";

export const WOULD_LEAVE =
  "cannot be redacted and would leave the tab; remove it, or give headers as Name: value";

/** A header line, a continuation line or an empty line; the kernel parses everything else. */
const HEADER_LINE = /^(?:[a-z][\w.-]*:(?!$)|\s|$)/i;

/** True if the text was pasted and is more than header lines. */
export const isRecording = (text: string, before: string) =>
  text.length > before.length + 8 && !text.split(/\r\n|\r|\n/).every((line) => HEADER_LINE.test(line));

/**
 * Imports a recording. @throws {Error} if the kernel cannot parse it, or if it contains a secret that cannot be
 * redacted.
 */
export async function importRecording(
  state: State,
  text: string,
  to: Target,
): Promise<ImportedRequest & { body: Uint8Array | null }> {
  let safe: string | null = text;
  if (state.inputs.signer() !== "kernel") {
    if (!state.catalog()) await state.askCatalog();
    const places = state.catalog()?.credentials;
    if (!places) throw new Error("Not imported: the places of credentials are not known yet; try again");
    safe = (await state.vault.request("redactText", { text, places })).text;
  }
  if (safe === null) throw new Error(`Not imported: a credential in the text ${WOULD_LEAVE}`);
  if (to === "editor") await state.upToDate();
  const buffers = [new TextEncoder().encode(safe)];
  const { value, buffers: bodies } = await state.rpc.request("import", { to }, imported, {
    buffers,
    slow: true,
  });
  return { ...value, body: value.body_known ? (bodies[0] ?? new Uint8Array()) : null };
}
