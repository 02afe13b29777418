/** Receiver code that verifies the provider's requests, in a selected language. */
import { Pre } from "../../../ui/output.js";
import { createCopy, Fragment, Hint, h, SelectField } from "../../lazy-exports.js";
import { Failure } from "../parts.js";
import type { View } from "../view.js";
import { createKernelText } from "./kernel-text.js";

export function createReceiver(view: View) {
  const { state, id } = view;
  const code = createKernelText(state, "receiver", state.say);
  const copy = createCopy(view, "receiver code", () => code.answer().text);

  return () => {
    const { provider, scheme, event } = state.inputs;
    const languages = state.catalog()?.languages ?? [];
    const { id: language, title } = languages.find((each) => each.id === state.language()) ??
      languages[0] ?? { id: "", title: "" };
    // The event counts as well: it decides the scheme if none is selected.
    const subject = [language, provider(), scheme(), scheme() ? "" : event()].join(" ");
    if (language && state.draftFresh()) code.request(subject, { language });
    const { of, text, rejection } = code.answer();
    const fresh = of === subject;
    return (
      <>
        <div class="hw-row">
          <SelectField
            id={id("receiver-language")}
            label="Language"
            grow
            value={language}
            options={languages.map((each): [string, string] => [each.id, each.title])}
            onPick={state.language.set}
          />
          {copy({ disabled: !fresh || text === "" })}
        </div>
        {text && (
          <Pre label={`Receiver code in ${title}`} stale={!fresh} code>
            {text}
          </Pre>
        )}
        {fresh && <Failure text={rejection} />}
        {!text && !fresh && <Hint>Loading…</Hint>}
      </>
    );
  };
}
