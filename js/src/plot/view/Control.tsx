/** One input: a slider and a text field for the same value. */
import { type ComponentChildren, h } from "preact";
import { Lock } from "../../ui/controls.js";
import type { Pace, State } from "../state.js";

/** Returns the kernel's error for an input. */
export function errorOf(state: State, name: string): string {
  const error = state.frames.error();
  return error?.field === name ? error.text : "";
}

interface SliderProps extends Pick<ControlProps, "state" | "id" | "name" | "label" | "value"> {
  fixed: boolean;
  onMove(text: string): void;
}

/** Slider over the kernel's steps: sets the text of a step, and announces it instead of a number. */
export function Slider({ state, id, name, label, value, fixed, onMove }: SliderProps) {
  const steps = state.frames.steps()[name];
  if (!steps?.length) return <span class="hw-slot" />;
  const fact = state.frames.fields()[name];
  const exact = steps.indexOf(value);
  const index = exact < 0 ? fact?.index : exact;
  return (
    <input
      type="range"
      id={id}
      class={`hw-slider ${value || fact?.shown ? "" : "hw-unset"}`}
      aria-label={`${label} slider`}
      aria-valuetext={value || fact?.shown || "not set"}
      min={0}
      max={steps.length - 1}
      value={index ?? 0}
      disabled={fixed}
      onInput={(event) => onMove(steps[Number(event.currentTarget.value)] ?? "")}
      // Fires when the pointer is released. A held key fires it repeatedly, so keys save on keyup instead.
      onChange={(event) => event.currentTarget.dataset.held || state.settle()}
      onKeyDown={(event) => {
        event.currentTarget.dataset.held = "key";
      }}
      onKeyUp={(event) => rest(event.currentTarget, state)}
      onBlur={(event) => rest(event.currentTarget, state)}
    />
  );
}

function rest(slider: HTMLElement, state: State) {
  delete slider.dataset.held;
  state.settle();
}

interface ControlProps {
  state: State;
  id: string;
  name: string;
  label: string;
  value: string;
  placeholder?: string;
  help?: string;
  /** Trait whose lock applies to this input. */
  lock?: string;
  /** Content in place of the label. */
  head?: ComponentChildren;
  slider?: boolean;
  /** Content after the text field. */
  after?: ComponentChildren;
  onText(text: string, pace: Pace): void;
}

export function Control({
  state,
  id,
  name,
  label,
  value,
  placeholder = "",
  help = "",
  lock = name,
  head,
  slider = true,
  after,
  onText,
}: ControlProps) {
  const wrong = errorOf(state, name);
  const { note = "", shown = "" } = state.frames.fields()[name] ?? {};
  const fixed = state.fixed(lock);
  const under = wrong || note;
  const steps = state.frames.steps();
  const alone = slider && Object.keys(steps).length > 0 && !steps[name];
  const described = [under && `${id}-note`, help && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div class={`hw-control ${head ? "hw-named" : ""} ${after ? "hw-more" : ""} ${slider ? "" : "hw-short"}`}>
      {head || (
        <label for={id} title={help}>
          {label}
          {state.locked(lock) && <Lock />}
        </label>
      )}
      {slider && !alone && (
        <Slider
          state={state}
          id={`${id}-slider`}
          name={name}
          label={label}
          value={value}
          fixed={fixed}
          onMove={(text) => onText(text, "move")}
        />
      )}
      <input
        type="text"
        id={id}
        class={`hw-input ${alone ? "hw-alone" : ""}`}
        aria-label={head ? label : undefined}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={described || undefined}
        title={shown && shown !== value ? shown : undefined}
        placeholder={shown || placeholder}
        spellcheck={false}
        autocomplete="off"
        readOnly={fixed}
        value={value}
        onInput={(event) => onText(event.currentTarget.value, "type")}
        onChange={state.settle}
      />
      {after}
      {under && (
        <p id={`${id}-note`} class={`hw-hint hw-note ${wrong ? "hw-bad" : ""}`}>
          {under}
        </p>
      )}
    </div>
  );
}

interface MeaningsProps {
  id(name: string): string;
  fields: readonly { name: string; label: string; help: string }[];
}

/** Meanings of the inputs, which refer to them. */
export function Meanings({ id, fields }: MeaningsProps) {
  return (
    <dl class="hw-meanings">
      {fields.map(
        ({ name, label, help }) =>
          help && (
            <div key={name}>
              <dt>{label}</dt>
              <dd id={`${id(name)}-help`}>{help}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
