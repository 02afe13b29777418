/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** An editable combobox with a grouped list, after the ARIA Authoring Practices (list autocomplete, manual choice). */
import { h } from "preact";
import { signal } from "../signals.js";
import { Field } from "./ui.js";

export interface Option {
  id: string;
  label: string;
  group: string;
  /** A second, quiet word. */
  hint?: string;
}

type Props = {
  label: string;
  options: Option[];
  value: string;
  onPick: (id: string) => void;
  locked?: boolean;
};

function matching(options: Option[], typed: string): Option[] {
  const words = typed.toLowerCase().split(/\s+/);
  return options.filter(({ id, label, group, hint = "" }) => {
    const all = `${label} ${id} ${group} ${hint}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Scrolls the list only: scrollIntoView would also move the notebook. */
function reveal(list: HTMLElement | null): void {
  const option = list?.querySelector(".hw-active");
  if (!list || !option) return;
  const box = list.getBoundingClientRect();
  const row = option.getBoundingClientRect();
  list.scrollTop += Math.max(0, row.bottom - box.bottom) - Math.max(0, box.top - row.top);
}

export function createCombobox(id: string) {
  const open = signal(false);
  const typed = signal<string | null>(null);
  const active = signal(0);
  let list: HTMLElement | null = null;
  let input: HTMLInputElement | null = null;
  let before = "";
  const keepList = (element: HTMLElement | null) => {
    list = element;
  };

  const keepInput = (element: HTMLInputElement | null) => {
    input = element;
  };

  const close = () => {
    open.set(false);
    typed.set(null);
  };
  /** The next key replaces the whole text, also when the text is a new one since the field was entered. */
  const selectAll = () => {
    if (input && input === (input.getRootNode() as Document | ShadowRoot).activeElement) input.select();
  };

  return ({ label, options, value, onPick, locked = false }: Props) => {
    const text = typed();
    const chosen = options.find((option) => option.id === value)?.label ?? value;
    if (chosen !== before && text === null) queueMicrotask(selectAll);
    before = chosen;
    const shown = !open() ? [] : text === null ? options : matching(options, text);
    const groups = [...new Set(shown.map(({ group }) => group))];
    const ordered = groups.flatMap((group) => shown.filter((option) => option.group === group));
    const at = Math.min(active(), ordered.length - 1);

    const show = () => {
      if (locked || open()) return;
      open.set(true);
      active.set(
        Math.max(
          0,
          options.findIndex((option) => option.id === value),
        ),
      );
      setTimeout(() => reveal(list));
    };
    const pick = (option: Option | undefined) => {
      close();
      if (option && option.id !== value) onPick(option.id);
    };
    const move = (by: number) => {
      if (!open()) return show();
      active.set((at + by + ordered.length) % (ordered.length || 1));
      setTimeout(() => reveal(list));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key } = event;
      if (key === "ArrowDown" || key === "ArrowUp") move(key === "ArrowDown" ? 1 : -1);
      else if (key === "Enter" && open()) pick(ordered[at]);
      else if (key === "Escape" && open()) close();
      else return;
      event.preventDefault();
    };

    return (
      <div class="hw-combo">
        <Field id={id} label={label} locked={locked}>
          <input
            ref={keepInput}
            id={id}
            class="hw-input"
            role="combobox"
            aria-expanded={open()}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={open() && at >= 0 ? `${id}-${at}` : undefined}
            autocomplete="off"
            spellcheck={false}
            readOnly={locked}
            value={text ?? chosen}
            onClick={show}
            onFocus={selectAll}
            onInput={(event) => {
              typed.set(event.currentTarget.value);
              active.set(0);
              open.set(true);
            }}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
        </Field>
        <div
          class="hw-list"
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          hidden={!open()}
          ref={keepList}
          // Keeps the focus, and with it the list, while an option or the scroll bar is pressed.
          onMouseDown={(event) => event.preventDefault()}
        >
          {groups.map((group, g) => (
            // biome-ignore lint/a11y/useSemanticElements: groups of options, not of form fields
            <div role="group" aria-labelledby={`${id}-group${g}`} key={group}>
              <div class="hw-group" role="presentation" id={`${id}-group${g}`}>
                {group}
              </div>
              {ordered.map(
                (option, i) =>
                  option.group === group && (
                    // biome-ignore lint/a11y: options are reached by aria-activedescendant, keys by the input
                    <div
                      key={option.id}
                      id={`${id}-${i}`}
                      class={`hw-option ${i === at ? "hw-active" : ""}`}
                      role="option"
                      aria-selected={option.id === value}
                      onClick={() => pick(option)}
                    >
                      <span>{option.label}</span>
                      <span class="hw-dim">{option.hint}</span>
                    </div>
                  ),
              )}
            </div>
          ))}
          {open() && ordered.length === 0 && (
            // biome-ignore lint/a11y: says that there is nothing to choose
            <div class="hw-option hw-dim" role="option" aria-selected="false" aria-disabled="true">
              Nothing matches “{text}”
            </div>
          )}
        </div>
      </div>
    );
  };
}
