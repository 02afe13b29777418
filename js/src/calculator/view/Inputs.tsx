/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** The inputs in their groups, the limits first. */
import { Fragment, h } from "preact";
import { Button, Cross, Lock } from "../../view/ui.js";
import type { Pace } from "../state.js";
import { type Field, type Row, TEXTS } from "../wire.js";
import { Control } from "./Control.js";
import { TITLES, type View, wordsOf } from "./view.js";

const GROUPS = { limit: "Limit", traffic: "Traffic", clients: "Clients", run: "Run" };
const RATE = "1000/hour";

function createLimits({ state, id }: View) {
  // Other limits than the preset's are one's own.
  const change = (limits: Row[], pace: Pace) => state.edit({ limits, preset: "" }, pace);
  const focus = (name: string, root: HTMLElement) =>
    setTimeout(() => root.querySelector<HTMLElement>(`[id="${name}"]`)?.focus());

  return (root: HTMLElement) => {
    const { limits } = state.inputs();
    const fixed = state.fixed("limits");
    const several = limits.length > 1;
    const set = (at: number, row: Row, pace: Pace) =>
      change(
        limits.map((old, i) => (i === at ? row : old)),
        pace,
      );
    const remove = (at: number) => {
      change(
        limits.filter((_, i) => i !== at),
        "now",
      );
      focus(id(`limit-${Math.min(at, limits.length - 2)}`), root);
    };
    return (
      <>
        {limits.map(([name, rate], i) => {
          const which = `limit ${i + 1}`;
          const head = several && (
            <input
              class="hw-input hw-name"
              aria-label={`Name of ${which}`}
              placeholder="Name"
              spellcheck={false}
              autocomplete="off"
              readOnly={fixed}
              value={name}
              onInput={(event) => set(i, [event.currentTarget.value, rate], "type")}
              onChange={state.settle}
            />
          );
          return (
            <Control
              key={i}
              state={state}
              id={id(`limit-${i}`)}
              name={`limits.${i}`}
              label={several ? `Rate of ${name || which}` : "Allowed"}
              lock="limits"
              value={rate}
              placeholder={RATE}
              slider={i === 0 || !several}
              {...(head
                ? {
                    head,
                    after: fixed ? (
                      <span />
                    ) : (
                      <button
                        type="button"
                        class="hw-btn hw-quiet hw-remove"
                        aria-label={`Remove ${name || which}`}
                        onClick={() => remove(i)}
                      >
                        <Cross />
                      </button>
                    ),
                  }
                : {})}
              onText={(text, pace) => set(i, [name, text], pace)}
            />
          );
        })}
        {!fixed && (
          <div class="hw-add">
            <Button
              look="quiet"
              onClick={() => {
                change([...limits, ["", ""]], "type");
                focus(id(`limit-${limits.length}`), root);
              }}
            >
              Add a limit
            </Button>
          </div>
        )}
        {state.locked("limits") && several && <Lock />}
      </>
    );
  };
}

export function createInputs(view: View) {
  const { state, id, root } = view;
  const limits = createLimits(view);
  const control = ({ name, label, placeholder, help, optional }: Field) => {
    const input = name as "capacity";
    return (
      <Control
        key={name}
        state={state}
        id={id(name)}
        name={name}
        label={label}
        help={help}
        value={state.inputs()[input] ?? ""}
        placeholder={placeholder || (optional ? "not given" : "")}
        onText={(text, pace) => state.edit({ [input]: text }, pace)}
      />
    );
  };

  /** Without a kernel nobody says how the inputs are called: what was saved is shown all the same. */
  const untold = () => {
    if (state.kernel() === "ready") return [];
    const saved = TEXTS.filter((name) => state.inputs()[name]);
    const rest = { group: "limit" as const, help: "", placeholder: "", optional: true };
    return saved.map((name) => ({ name, label: wordsOf(name), ...rest }));
  };

  return () => {
    const fields = (state.catalog()?.fields ?? untold()).filter(({ name }) => !(name in TITLES));
    const helped = fields.filter(({ help }) => help);
    return (
      <section class="hw-inputs" aria-label="Inputs">
        {Object.entries(GROUPS).map(([group, title]) => {
          const members = fields.filter((field) => field.group === group);
          if (group !== "limit" && members.length === 0) return null;
          return (
            <fieldset key={group} class="hw-set">
              <legend>{title}</legend>
              {group === "limit" && limits(root)}
              {members.map(control)}
            </fieldset>
          );
        })}
        {helped.length > 0 && (
          <details class="hw-details">
            <summary>What each input means</summary>
            <dl class="hw-meanings">
              {helped.map(({ name, label, help }) => (
                <div key={name}>
                  <dt>{label}</dt>
                  <dd id={`${id(name)}-help`}>{help}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </section>
    );
  };
}
