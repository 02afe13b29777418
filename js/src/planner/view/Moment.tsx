/** The selected date, and controls to change it. */
import { h } from "preact";
import { errorOf, Slider } from "../../plot/view/Control.js";
import { staleness } from "../../plot/view/Picture.js";
import { Button, Lock } from "../../ui/controls.js";
import { DateField } from "./DateField.js";
import { labelOf, type View } from "./view.js";

export function createMoment({ state, id }: View) {
  const go = (at: string) => state.edit({ at });
  return () => {
    const { at } = state.inputs();
    const fixed = state.fixed("at");
    const wrong = errorOf(state, "at");
    const label = labelOf(state, "at");
    const { previous, next, text } = state.frames.frame()?.moment ?? { previous: null, next: null, text: "" };
    const step = (stop: { at: string; title: string } | null, arrow: string, way: string) => (
      <Button
        disabled={fixed || !stop}
        label={stop ? `${way}: ${stop.title}, ${stop.at}` : `${way}: none`}
        title={stop ? `${stop.title}, ${stop.at}` : ""}
        onClick={() => stop && go(stop.at)}
      >
        {arrow}
      </Button>
    );
    return (
      <section class="hw-moment" aria-label="Date">
        <div class="hw-field">
          <label for={id("at")}>
            {label}
            {state.locked("at") && <Lock />}
          </label>
          <DateField
            id={id("at")}
            label={label}
            value={at}
            placeholder={state.frames.fields().at?.shown || "today"}
            fixed={fixed}
            wrong={!!wrong}
            described={id("at-note")}
            onText={(to, pace) => state.edit({ at: to }, pace)}
            onSettle={state.settle}
          />
        </div>
        <div class="hw-travel">
          {step(previous, "‹", "Earlier")}
          <Slider
            state={state}
            id={id("at-slider")}
            name="at"
            label={label}
            value={at}
            fixed={fixed}
            onMove={(to) => state.edit({ at: to }, "move")}
          />
          {step(next, "›", "Later")}
          <Button disabled={fixed || !at} onClick={() => go("")}>
            Today
          </Button>
        </div>
        <p id={id("at-note")} class={`hw-hint ${wrong ? "hw-bad" : staleness(state)}`}>
          {wrong || text}
        </p>
      </section>
    );
  };
}
