/** Receiver code that verifies the provider's requests, in a selected language. */
import { createCopy, Fragment, Hint, h, latestOnly, Pre, SelectField, signal } from "../../lazy-exports.js";
import { textReply } from "../../replies.js";
import type { View } from "../view.js";

export function createReceiver(view: View) {
  const { state, id } = view;
  /** The kernel's reply, with the inputs it is for; current only while they are the same. */
  const answer = signal({ of: "", text: "", rejection: "" });
  let requestedFor = "";
  const copy = createCopy(view, "receiver code", () => answer().text);

  const load = latestOnly(async (of: string, language: string) => {
    const reply = await state.rpc.request("receiver", { language }, textReply).then(
      ({ value: { text } }) => ({ of, text, rejection: "" }),
      ({ message }: Error) => ({ of, text: "", rejection: message }),
    );
    answer.set(reply);
    if (reply.rejection) state.say(reply.rejection);
  });

  return () => {
    const { provider, scheme, event } = state.inputs;
    const languages = state.catalog()?.languages ?? [];
    const { id: language, title } = languages.find((each) => each.id === state.language()) ??
      languages[0] ?? { id: "", title: "" };
    // The event counts as well: it decides the scheme if none is selected.
    const subject = [language, provider(), scheme(), scheme() ? "" : event()].join(" ");
    if (language && state.draftFresh() && requestedFor !== subject) {
      requestedFor = subject;
      load(subject, language);
    }
    const { of, text, rejection } = answer();
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
        {rejection && fresh && <p class="hw-alert hw-bad">{rejection}</p>}
        {!text && !fresh && <Hint>Loading…</Hint>}
      </>
    );
  };
}
