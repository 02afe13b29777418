/** The inputs in their groups, the limits first. */
import { h } from "preact";
import { Control } from "../../plot/view/Control.js";
import { type Field, TEXTS } from "../wire.js";
import { createLimits } from "./Limits.js";
import { TITLES, type View, wordsOf } from "./view.js";

const GROUPS = { limit: "Limit", traffic: "Traffic", clients: "Clients", run: "Run" };
export function createInputs(view: View) {
  const { state, id } = view;
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
              {group === "limit" && limits()}
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
