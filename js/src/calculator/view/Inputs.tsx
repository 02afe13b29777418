/** Grouped inputs, the limits first. */
import { type ComponentChildren, h } from "preact";
import { signal } from "../../core/signals.js";
import { Control, Meanings } from "../../plot/view/Control.js";
import { Button, Jump } from "../../ui/controls.js";
import { type Field, splitLevel, textOf } from "../wire.js";
import { createLimits } from "./Limits.js";
import { createHeadersPanel, createLogPanel } from "./Measure.js";
import type { View } from "./view.js";

/** The group that starts with the limits. */
const LIMIT = { id: "limit", title: "Limit" };
const TRAFFIC = "traffic";

interface MoreProps {
  title: string;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
  children: ComponentChildren[];
}

/** Inputs of a group that have their default values. */
function More({ title, isOpen, onToggle, children }: MoreProps) {
  if (children.length === 0) return null;
  return (
    <details
      class="hw-fold"
      open={isOpen}
      onToggle={(event) => event.currentTarget.open === isOpen || onToggle(!isOpen)}
    >
      <summary>
        More ({children.length})<span class="hw-offscreen">: {title}</span>
      </summary>
      {children}
    </details>
  );
}

export function createInputs(view: View) {
  const { state, id, root } = view;
  const limits = createLimits(view);
  const headers = createHeadersPanel(view);
  const log = createLogPanel(view);
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

  /** Inputs shown outside "More": those that are or were set. */
  const shown = new Set<string>();
  /** Groups whose "More" is unfolded. */
  const open = signal<string[]>([]);
  const isSet = ({ name, placeholder, optional }: Field) => {
    const text = textOf(state.inputs(), name);
    return text !== "" && (optional || text !== placeholder);
  };

  /** Draws buttons that set inputs under "More" to a first value, and show them. */
  const additions = (folded: Field[]) => {
    const facts = state.frames.fields();
    const offered = folded.filter(
      (field) => field.add && facts[field.name]?.suggested && !isSet(field) && !state.fixed(field.name),
    );
    const add = (name: string) => {
      state.edit({ [name]: facts[name]?.suggested ?? "" });
      setTimeout(() => root.querySelector<HTMLElement>(`[id="${id(name)}"]`)?.focus());
    };
    return (
      offered.length > 0 && (
        <div class="hw-add">
          {offered.map(({ name, add: title }) => (
            <Button key={name} look="quiet" onClick={() => add(name)}>
              {title}
            </Button>
          ))}
        </div>
      )
    );
  };

  /** Without a kernel there is no catalog: returns the saved inputs as one group. */
  const savedFields = (): Field[] => {
    if (state.kernel() === "ready") return [];
    const rest = { group: LIMIT.id, help: "", placeholder: "", optional: true, level: "", add: "" };
    return Object.entries(state.labels)
      .filter(([name]) => textOf(state.inputs(), name))
      .map(([name, label]) => ({ name, label, ...rest }));
  };

  /** True if the field applies: it has no level, is set, or a limit has its level. */
  const counts = (field: Field, levels: string[]) =>
    !field.level ||
    isSet(field) ||
    (field.level === "any" ? levels.length > 0 : levels.includes(field.level));

  return () => {
    const { groups, fields: known } = state.catalog() ?? { groups: [LIMIT], fields: savedFields() };
    const levels = state
      .inputs()
      .limits.map(([, limit]) => splitLevel(limit)[1])
      .filter(Boolean);
    const ready = !!state.catalog();
    const ownTraffic = state.catalog()?.patterns.length === 0;
    const fields = known.filter((field) => counts(field, levels));
    return (
      <section class="hw-inputs" aria-label="Inputs">
        <Jump root={root} to=".hw-figure">
          Go to result
        </Jump>
        {groups.map(({ id: group, title }) => {
          const members = fields.filter((field) => field.group === group);
          if (group !== LIMIT.id && members.length === 0) return null;
          // A field never moves while its group is unfolded, because it may have the focus. Before the catalog has
          // arrived, no defaults are known, so all fields are shown.
          for (const field of !ready || open().includes(group) ? [] : members)
            if (isSet(field) || field.level) shown.add(field.name);
          const folded = members.filter(({ name }) => ready && !shown.has(name));
          return (
            <fieldset key={group} class="hw-set">
              <legend>{title}</legend>
              {group === LIMIT.id && limits()}
              {ready && group === LIMIT.id && !state.fixed("limits") && headers()}
              {ready && group === TRAFFIC && !ownTraffic && log()}
              {members.filter(({ name }) => !ready || shown.has(name)).map(control)}
              {additions(folded)}
              <More
                title={title}
                isOpen={open().includes(group)}
                onToggle={(isOpen) =>
                  open.set(isOpen ? [...open(), group] : open().filter((each) => each !== group))
                }
              >
                {folded.map(control)}
              </More>
            </fieldset>
          );
        })}
        {ready && (
          <details class="hw-details">
            <summary>What each input means</summary>
            <Meanings id={id} fields={fields} />
          </details>
        )}
      </section>
    );
  };
}
