/** An editable combobox with a grouped list, after the ARIA Authoring Practices (list autocomplete, manual choice). */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useUid } from "./context.js";
import { Lock } from "./ui.js";

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
  mono?: boolean;
};

function matching(options: Option[], typed: string): Option[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ id, label, group, hint = "" }) => {
    const all = `${label} ${id} ${group} ${hint}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export function Combobox({ label, options, value, onPick, locked = false, mono = false }: Props) {
  const uid = useUid();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const open = useSignal(false);
  const typed = useSignal<string | null>(null);
  const active = useSignal(0);

  const chosen = options.find(({ id }) => id === value);
  const shown = typed.value === null ? options : matching(options, typed.value);
  const activeId =
    open.value && shown.length > 0 ? `${uid}-${Math.min(active.value, shown.length - 1)}` : undefined;

  useEffect(() => {
    const option = activeId ? list.current?.querySelector(`[id="${activeId}"]`) : null;
    if (option && list.current) {
      // Scrolls the list only: scrollIntoView would also move the notebook.
      const box = list.current.getBoundingClientRect();
      const row = option.getBoundingClientRect();
      if (row.bottom > box.bottom) list.current.scrollTop += row.bottom - box.bottom;
      if (row.top < box.top) list.current.scrollTop -= box.top - row.top;
    }
  }, [activeId]);

  const show = () => {
    if (locked || open.value) return;
    active.value = Math.max(
      0,
      shown.findIndex(({ id }) => id === value),
    );
    open.value = true;
  };
  const close = () => {
    open.value = false;
    typed.value = null;
  };
  const pick = (option: Option | undefined) => {
    close();
    if (option && option.id !== value) onPick(option.id);
  };
  const move = (to: number) => {
    if (!open.value) show();
    else active.value = (to + shown.length) % Math.max(1, shown.length);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const at = Math.min(active.value, shown.length - 1);
    if (event.key === "ArrowDown") move(at + 1);
    else if (event.key === "ArrowUp") move(at - 1);
    else if (event.key === "Enter" && open.value) pick(shown[at]);
    else if (event.key === "Escape" && open.value) close();
    else return;
    event.preventDefault();
  };

  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <div class="hw-field hw-combo">
      <label for={uid}>
        {label}
        {locked && <Lock />}
      </label>
      <input
        ref={input}
        id={uid}
        class={mono ? "hw-input hw-mono" : "hw-input"}
        role="combobox"
        aria-expanded={open.value}
        aria-controls={`${uid}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autocomplete="off"
        spellcheck={false}
        readOnly={locked}
        value={typed.value ?? chosen?.label ?? value}
        onClick={show}
        onFocus={() => input.current?.select()}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          active.value = 0;
          open.value = true;
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        class="hw-list"
        id={`${uid}-list`}
        role="listbox"
        aria-label={label}
        hidden={!open.value}
        ref={list}
        // Keeps the focus, and with it the list, while an option or the scroll bar is pressed.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group, g) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of options, not of form fields
          <div role="group" aria-labelledby={`${uid}-group${g}`} key={group}>
            <div class="hw-group" role="presentation" id={`${uid}-group${g}`}>
              {group}
            </div>
            {shown.map(
              (option, i) =>
                option.group === group && (
                  <div
                    key={option.id}
                    id={`${uid}-${i}`}
                    class={`${uid}-${i}` === activeId ? "hw-option hw-active" : "hw-option"}
                    role="option"
                    aria-selected={option.id === value}
                    onClick={() => pick(option)}
                  >
                    <span class={mono ? "hw-mono" : ""}>{option.label}</span>
                    {option.hint && <span class="hw-dim">{option.hint}</span>}
                  </div>
                ),
            )}
          </div>
        ))}
        {shown.length === 0 && (
          <div class="hw-option hw-dim" role="option" aria-selected="false" aria-disabled="true">
            Nothing matches “{typed.value}”
          </div>
        )}
      </div>
    </div>
  );
}
