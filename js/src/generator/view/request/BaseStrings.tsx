/** The texts that are signed. */
import { count, Fragment, Hint, h } from "../../lazy-exports.js";
import { BaseString } from "../parts.js";
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
            <BaseString
              title={`${field} · ${algorithm} over`}
              label={`Base string of ${field}`}
              length={length}
              sha256={sha256}
              stale={!state.draftFresh()}
            >
              {shown}
            </BaseString>
            {cut && <Hint>Truncated here; all {count(length, "byte")} are signed.</Hint>}
          </>
        ))}
      </>
    );
  };
}
