/** The texts that are signed. */
import { count, Fragment, Hint, h, Pre, shortHash } from "../../lazy-exports.js";
import type { View } from "../view.js";

export function createBaseStrings({ state }: View) {
  return () => {
    const { base_strings: strings = [], reveals_secret } = state.draft() ?? {};
    if (reveals_secret) return <Hint>Not signed: the request contains the secret itself.</Hint>;
    if (strings.length === 0) return <Hint>No base string yet.</Hint>;
    return (
      <>
        {strings.map(({ field, algorithm, length, sha256, shown, cut }) => (
          <>
            <p class="hw-facts" title={`sha256 ${sha256}`}>
              {`${field} · ${algorithm} over ${count(length, "byte")} · sha256 ${shortHash(sha256)}`}
            </p>
            <Pre label={`Base string of ${field}`} stale={!state.draftFresh()}>
              {shown}
            </Pre>
            {cut && <Hint>Truncated here; all {count(length, "byte")} are signed.</Hint>}
          </>
        ))}
      </>
    );
  };
}
