/** The texts that are signed. */
import { count, Fragment, Hint, h } from "../../lazy-exports.js";
import { baseString } from "../parts.js";
import type { View } from "../view.js";

export function createBaseStrings({ state }: View) {
  return () => {
    const { base_strings: strings = [], reveals_secret } = state.draft() ?? {};
    if (reveals_secret) return <Hint>Not signed: the request contains the secret itself.</Hint>;
    if (strings.length === 0) return <Hint>No base string yet.</Hint>;
    return (
      <>
        {strings.map((text) => (
          <>
            {baseString(
              text,
              `${text.field} · ${text.algorithm} over`,
              `Base string of ${text.field}`,
              !state.draftFresh(),
            )}
            {text.cut && <Hint>Truncated here; all {count(text.length, "byte")} are signed.</Hint>}
          </>
        ))}
      </>
    );
  };
}
