/** A form below the payload's title: other values for the sample of the event. */
import { Button, Hint, h, TextField } from "../../../core/lazy-exports.js";
import { createVarying } from "../../varying.js";
import type { Provider } from "../../wire.js";
import type { View } from "../view.js";

type Param = Provider["params"][number];

export function createVary(view: View) {
  const { state, id, rewrites } = view;
  const varying = createVarying(state, rewrites);
  let form: HTMLElement | null = null;

  const apply = async (sure = false) => {
    await varying.apply(sure);
    // Once it is drawn: to the question, to the field that is wrong, or back from the question.
    setTimeout(() => {
      const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true]");
      const next = varying.asking() ? form?.querySelector<HTMLElement>(".hw-confirm .hw-btn") : wrong;
      if (next) next.focus();
      else if (sure) focusApply();
    });
  };
  const focusApply = () => form?.querySelector<HTMLElement>(".hw-apply .hw-btn")?.focus();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target as Element).matches("input")) return;
    event.preventDefault();
    void apply();
  };

  const wrongAt = (field: string) => {
    const fault = varying.fault();
    return fault?.field === field ? <span class="hw-bad">{fault.text}</span> : null;
  };
  const field = ({ name, title, kind, hint }: Param) => {
    const wrong = wrongAt(`params.${name}`);
    const form = hint || kind;
    // The form of a value is written out where one points at it or hears of it: six of them are a wall of words.
    const about = varying.lacks(name) ? (
      "Not in this event's payload"
    ) : (
      <span class="hw-offscreen">{form}</span>
    );
    return (
      <div key={name} title={form}>
        <TextField
          id={id(`vary-${name}`)}
          label={title || name}
          hint={wrong ?? about}
          invalid={wrong !== null}
          placeholder={`${varying.seed().trim() ? "auto" : "from sample"} (${kind})`}
          value={varying.value(name)}
          onText={(text) => varying.set(name, text)}
        />
      </div>
    );
  };

  const question = () => (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-confirm" role="group" aria-label="Replace your edited payload?">
      <span>Replace your edited payload? “Undo Randomize” restores it.</span>
      <span class="hw-right">
        <Button look="primary" onClick={() => apply(true)}>
          Replace
        </Button>
        <Button
          onClick={() => {
            varying.keep();
            setTimeout(focusApply);
          }}
        >
          Cancel
        </Button>
      </span>
    </div>
  );
  const buttons = () => (
    <div class="hw-row hw-middle hw-apply">
      <Button disabled={varying.busy()} onClick={() => apply()}>
        Apply
      </Button>
      <Button disabled={varying.busy()} onClick={varying.reset}>
        Reset to sample
      </Button>
      {state.draft()?.edited && (
        <Hint>Apply starts from the event's sample and replaces your edited payload.</Hint>
      )}
    </div>
  );

  return () => {
    const params = state.provider()?.params ?? [];
    const fields = ["seed", ...params.map(({ name }) => `params.${name}`)];
    const fault = varying.fault();
    const wrongSeed = wrongAt("seed");
    return (
      // biome-ignore lint/a11y/useSemanticElements: its fields are named by their labels
      <div
        class="hw-vary"
        role="group"
        aria-label="Randomize the sample"
        onKeyDown={onKeyDown}
        ref={(element) => {
          form = element;
        }}
      >
        <div class="hw-varied">
          <div class="hw-seed">
            <TextField
              id={id("vary-seed")}
              label="Seed"
              hint={wrongSeed}
              invalid={wrongSeed !== null}
              placeholder="none: empty fields keep the sample"
              value={varying.seed()}
              onText={varying.setSeed}
            />
            <Button label="New seed" onClick={varying.another}>
              New seed
            </Button>
          </div>
          {params.map(field)}
        </div>
        {fault && !fields.includes(fault.field) && <p class="hw-alert hw-bad">{fault.text}</p>}
        {varying.asking() ? question() : buttons()}
      </div>
    );
  };
}
