/** Response to a client of one version at the selected date. */
import { Fragment, h } from "preact";
import { errorOf } from "../../plot/view/Control.js";
import { staleness } from "../../plot/view/Picture.js";
import { Chip, createCopy, HeaderTable, Hint, Lock, Pre, Select } from "../../ui/controls.js";
import type { Answer } from "../wire.js";
import { rowName } from "../wire.js";
import type { View } from "./view.js";

/** A sample response: status, headers and body. */
export function AnswerBody({ answer }: { answer: Answer }) {
  return (
    <>
      {answer.note && <Hint>{answer.note}</Hint>}
      <div class="hw-line">
        <Chip tone={answer.status < 400 ? "ok" : "bad"}>{`${answer.status} ${answer.reason}`}</Chip>
        <span class="hw-hint">{answer.title}</span>
      </div>
      {answer.lines.length > 0 && (
        <HeaderTable rows={answer.lines.map(([name, text]) => ({ name, value: text }))} />
      )}
      {answer.body && <Pre label={`Response body, ${answer.status}`}>{answer.body}</Pre>}
    </>
  );
}

export function createAnswer(view: View) {
  const { state, id } = view;
  const copy = createCopy(view, "headers", () => state.frames.frame()?.answer?.text ?? "");
  return () => {
    const frame = state.frames.frame();
    const answer = frame?.answer;
    const { version, versions } = state.inputs();
    const wrong = errorOf(state, "version");
    const known: [version: string, title: string][] =
      frame?.versions.map((each) => [each.version, each.title]) ??
      versions.map(([each = ""]) => [each, rowName(each, 0)]);
    const shown = frame?.version ?? "";
    const value = !version || rowName(version, 0) === rowName(shown, 0) ? shown : version;
    const fresh = state.frames.fresh();
    return (
      <section class="hw-answers" aria-label="Response">
        <div class="hw-head">
          <h3>
            <label for={id("version")}>Response for</label>
          </h3>
          <Select
            id={id("version")}
            class="hw-input hw-pick"
            value={value}
            disabled={state.fixed("version")}
            aria-invalid={!!wrong || undefined}
            aria-describedby={wrong ? id("version-note") : undefined}
            options={
              known.some(([version]) => version === value) ? known : [[value, rowName(value, 0)], ...known]
            }
            onPick={(version) => state.edit({ version })}
          />
          {state.locked("version") && <Lock />}
          <div class="hw-right">{copy({ disabled: !fresh || !answer?.text })}</div>
        </div>
        {wrong && (
          <p id={id("version-note")} class="hw-alert hw-bad">
            {wrong}
          </p>
        )}
        {answer && (
          <div class={`hw-answer ${staleness(state)}`}>
            <AnswerBody answer={answer} />
          </div>
        )}
      </section>
    );
  };
}
