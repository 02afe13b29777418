/** Tabs below the picture: the same facts as a table, and the announcements. */
import { type ComponentChildren, Fragment, h } from "preact";
import { type Signal, signal } from "../../core/signals.js";
import { Facts } from "../../plot/view/Facts.js";
import { createSamples } from "../../plot/view/Samples.js";
import { Button, createCopy, Hint, Pre, TabPanel, Tabs } from "../../ui/controls.js";
import { rowName } from "../wire.js";
import { AnswerBody } from "./Answer.js";
import { createCallers } from "./Callers.js";
import { createChangeCheck } from "./ChangeCheck.js";
import type { View } from "./view.js";

const DATES = "dates";
const OTHERS = "others";
const CALLERS = "callers";
const CHANGES = "changes";
const INSTALL = "install";
/** Keeps a day such as Tue 1 Dec 2026 on one line; a line may break before its time. */
const unbroken = (text: string) => text.replace(/^\w+ \d+ \w+ \d{4}/, (day) => day.replaceAll(" ", "\u00a0"));

export function createDetails(view: View) {
  const { state, id } = view;
  const current = signal(DATES);
  const panels = id("panel");

  /** Tabs that do not depend on the selected date. */
  const tools: Record<string, () => ComponentChildren> = {
    [CALLERS]: createCallers(view),
    [CHANGES]: createChangeCheck(view),
  };

  const others = () =>
    state.frames.frame()?.others.map((answer) => (
      <div key={answer.title} class="hw-answer">
        <AnswerBody answer={answer} />
      </div>
    ));
  const text = createNotice(view, current);
  const install = createSamples(view, () => state.frames.frame()?.install ?? [], state.frames.whole);
  return () => {
    if (!state.frames.frame()) return null;
    const texts = state.catalog()?.texts ?? [];
    const of = rowName(state.frames.frame()?.version || state.inputs().version, 0);
    const tabs: [string, string][] = [
      [DATES, "Dates"],
      ...texts.map((each): [string, string] => [each.id, each.title]),
      [OTHERS, "Other requests"],
      [CALLERS, `Who still calls ${of}?`],
      [CHANGES, "Change check"],
      [INSTALL, "Install it"],
    ];
    return (
      <>
        <Tabs
          label="Dates and notices"
          panels={panels}
          current={current()}
          onPick={current.set}
          tabs={tabs}
        />
        {tabs.map(([name, title]) => (
          <TabPanel key={name} panels={panels} id={name} current={current()}>
            {name === current() && tools[name]?.()}
            {name === current() && !tools[name] && (
              <div class={`hw-telling ${state.frames.textsStale() ? "hw-late" : ""}`}>
                {name === DATES ? (
                  <Dates state={state} />
                ) : name === OTHERS ? (
                  others()
                ) : name === INSTALL ? (
                  install()
                ) : (
                  text(name, title)
                )}
              </div>
            )}
          </TabPanel>
        ))}
      </>
    );
  };
}

/** The dates as a table, with downloads. */
function Dates({ state }: Pick<View, "state">) {
  const { caption = "", columns = [], rows = [] } = state.frames.frame()?.table ?? {};
  return (
    <>
      <div class="hw-row">
        <Button disabled={!state.frames.whole()} onClick={() => state.download({ format: "csv" })}>
          Save CSV
        </Button>
        <Button
          disabled={!state.frames.whole() || !state.frames.frame()?.events}
          onClick={() => state.download({ format: "ics" })}
        >
          Save calendar (.ics)
        </Button>
      </div>
      <Facts caption={caption} columns={columns} rows={rows.map((row) => row.map(unbroken))} />
    </>
  );
}

/** An announcement as text. */
function createNotice(view: View, current: Signal<string>) {
  const { state } = view;
  const textOf = (name: string) => state.frames.frame()?.texts.find((each) => each.id === name);
  const copy = createCopy(view, "text", () => textOf(current())?.text ?? "");
  return (name: string, title: string) => {
    const notice = textOf(name);
    const frame = state.frames.frame();
    const of = rowName(state.inputs().version || frame?.version || "", 0);
    if (!notice) return <Hint>{`No notice: ${of} is not deprecated. Enter a deprecation date.`}</Hint>;
    const disabled = !state.frames.whole();
    return (
      <>
        <div class="hw-row hw-middle">
          {copy({ disabled })}
          <Button disabled={disabled} onClick={() => state.download({ format: "md", text: name })}>
            Save Markdown
          </Button>
          <span class="hw-hint">{notice.when}</span>
        </div>
        <Pre label={`${title} for ${of}`}>{notice.text}</Pre>
      </>
    );
  };
}
