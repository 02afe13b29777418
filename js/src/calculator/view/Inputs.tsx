/** The inputs in their groups, the limits first. */
import { h } from "preact";
import { Control } from "../../plot/view/Control.js";
import { type Field, textOf } from "../wire.js";
import { createLimits } from "./Limits.js";
import type { View } from "./view.js";

/** The group that begins with the limits. */
const LIMIT = { id: "limit", title: "Limit" };

export function createInputs(view: View) {
  const { state, id } = view;
  const limits = createLimits(view);
  const control = ({ name, label, placeholder, help, optional }: Field) => {
    return (
      <Control
        key={name}
        state={state}
        id={id(name)}
        name={name}
        label={label}
        help={help}
        value={textOf(state.inputs(), name)}
        placeholder={placeholder || (optional ? "not set" : "")}
        onText={(text, pace) => state.edit({ [name]: text }, pace)}
      />
    );
  };

  /** Without a kernel there is no catalog: the inputs that were saved, in one group. */
  const savedFields = (): Field[] => {
    if (state.kernel() === "ready") return [];
    const rest = { group: LIMIT.id, help: "", placeholder: "", optional: true };
    return Object.entries(state.labels)
      .filter(([name]) => textOf(state.inputs(), name))
      .map(([name, label]) => ({ name, label, ...rest }));
  };

  return () => {
    const { groups, fields } = state.catalog() ?? { groups: [LIMIT], fields: savedFields() };
    const helped = fields.filter(({ help }) => help);
    return (
      <section class="hw-inputs" aria-label="Inputs">
        {groups.map(({ id: group, title }) => {
          const members = fields.filter((field) => field.group === group);
          if (group !== LIMIT.id && members.length === 0) return null;
          return (
            <fieldset key={group} class="hw-set">
              <legend>{title}</legend>
              {group === LIMIT.id && limits()}
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
