/** Form for random values in the sample of the event, below the payload's title. */
import { Button, Hint, h, TextField } from "../../lazy-exports.js";
import { createRandomizer } from "../../randomizer.js";
import type { Provider } from "../../wire.js";
import type { View } from "../view.js";

type Param = Provider["params"][number];

export function createRandomize(view: View) {
  const { state, id, rewrites } = view;
  const randomizer = createRandomizer(state, rewrites);
  let form: HTMLElement | null = null;

  const apply = async (sure = false) => {
    await randomizer.apply(sure);
    // After rendering, focus the question, the invalid field, or the button that opened the question.
    setTimeout(() => {
      const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true]");
      const next = randomizer.asking() ? form?.querySelector<HTMLElement>(".hw-confirm .hw-btn") : wrong;
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
    const fault = randomizer.fault();
    return fault?.field === field ? <span class="hw-bad">{fault.text}</span> : null;
  };
  const field = ({ name, title, kind, hint }: Param) => {
    const wrong = wrongAt(`params.${name}`);
    const form = hint || kind;
    // Show a parameter's format only on hover or focus.
    const about = randomizer.lacks(name) ? (
      "Not in this event's payload"
    ) : (
      <span class="hw-offscreen">{form}</span>
    );
    return (
      <div key={name} title={form}>
        <TextField
          id={id(`randomize-${name}`)}
          label={title || name}
          hint={wrong ?? about}
          invalid={wrong !== null}
          placeholder={`${randomizer.seed().trim() ? "auto" : "from sample"} (${kind})`}
          value={randomizer.value(name)}
          onText={(text) => randomizer.set(name, text)}
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
            randomizer.keep();
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
      <Button disabled={randomizer.busy()} onClick={() => apply()}>
        Apply
      </Button>
      <Button disabled={randomizer.busy()} onClick={randomizer.reset}>
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
    const fault = randomizer.fault();
    const wrongSeed = wrongAt("seed");
    return (
      // biome-ignore lint/a11y/useSemanticElements: its fields are named by their labels
      <div
        class="hw-randomize"
        role="group"
        aria-label="Randomize the sample"
        onKeyDown={onKeyDown}
        ref={(element) => {
          form = element;
        }}
      >
        <div class="hw-random-values">
          <div class="hw-seed">
            <TextField
              id={id("randomize-seed")}
              label="Seed"
              hint={wrongSeed}
              invalid={wrongSeed !== null}
              placeholder="none: empty fields keep the sample"
              value={randomizer.seed()}
              onText={randomizer.setSeed}
            />
            <Button label="New seed" onClick={randomizer.another}>
              New seed
            </Button>
          </div>
          {params.map(field)}
        </div>
        {fault && !fields.includes(fault.field) && <p class="hw-alert hw-bad">{fault.text}</p>}
        {randomizer.asking() ? question() : buttons()}
      </div>
    );
  };
}
