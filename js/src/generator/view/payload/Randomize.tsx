/** Form for random values in the sample of the event, below the payload's title. */
import type { ComponentChildren } from "preact";
import { Button, Hint, h, TextField } from "../../lazy-exports.js";
import { createRandomizer, type Randomizer } from "../../randomizer.js";
import type { Provider } from "../../wire.js";
import { Failure } from "../parts.js";
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
          <Seed randomizer={randomizer} id={id("randomize-seed")} />
          {params.map((param) => (
            <Value key={param.name} randomizer={randomizer} id={id(`randomize-${param.name}`)} {...param} />
          ))}
        </div>
        {fault && !fields.includes(fault.field) && <Failure text={fault.text} />}
        {randomizer.asking() ? question() : buttons()}
      </div>
    );
  };
}

/** Returns the properties of a text field: the error if it is about this input, else the hint. */
const hinted = ({ fault }: Randomizer, field: string, hint?: ComponentChildren) => {
  const invalid = fault()?.field === field;
  return { invalid, hint: invalid ? <span class="hw-bad">{fault()?.text}</span> : hint };
};

function Seed({ randomizer, id }: { randomizer: Randomizer; id: string }) {
  return (
    <div class="hw-seed">
      <TextField
        id={id}
        label="Seed"
        {...hinted(randomizer, "seed")}
        placeholder="none: empty fields keep the sample"
        value={randomizer.seed()}
        onText={randomizer.setSeed}
      />
      <Button label="New seed" onClick={randomizer.another}>
        New seed
      </Button>
    </div>
  );
}

/** The field of a parameter; its format is shown only on hover or focus. */
function Value({ randomizer, id, name, title, kind, hint }: Param & { randomizer: Randomizer; id: string }) {
  const format = hint || kind;
  const about = randomizer.lacks(name) ? (
    "Not in this event's payload"
  ) : (
    <span class="hw-offscreen">{format}</span>
  );
  return (
    <div title={format}>
      <TextField
        id={id}
        label={title || name}
        {...hinted(randomizer, `params.${name}`, about)}
        placeholder={`${randomizer.seed().trim() ? "auto" : "from sample"} (${kind})`}
        value={randomizer.value(name)}
        onText={(text) => randomizer.set(name, text)}
      />
    </div>
  );
}
