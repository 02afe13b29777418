/** Editable combobox with a grouped list, by the ARIA Authoring Practices (list autocomplete, manual selection). */
import { type ComponentChildren, h } from "preact";
import { count } from "../core/bytes.js";
import { signal } from "../core/signals.js";
import { Field } from "./controls.js";

export interface Option {
  id: string;
  label: string;
  group: string;
  /** Secondary text beside the label. */
  hint?: string;
  /** Further search words, not shown. */
  words?: string;
  /** Sort key among options that match equally well, ascending. */
  rank?: number;
}

type Props = {
  label: string;
  options: Option[];
  value: string;
  onPick: (id: string) => void;
  /** Called with the option that Enter would pick, once it has stayed the same for a moment. */
  onAim?: (id: string) => unknown;
  locked?: boolean;
  /** Filter fields above the list; `shown` tells which options pass them. */
  filters?: ComponentChildren;
  shown?: (option: Option) => boolean;
};

/** Delay before the number of matches is announced, so that not every key press is. */
const SETTLED_MS = 500;
/** Delay before an option counts as aimed at. */
const AIM_MS = 100;
const LAST = 1e6;
/** Options per PageUp or PageDown; about as many as are visible. */
const PAGE = 10;

/**
 * Returns the options that match every typed word: anywhere in the name, at the start of a word elsewhere. Options
 * whose name begins with the text come first, then those with a word that does, then by rank.
 */
function matching(options: Option[], typed: string): Option[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/[\s._:/-]+/);
  const rank = ({ id, label }: Option) => {
    const names = [label.toLowerCase(), id];
    const places = names.map((name) => ` ${name.replaceAll(/[\s._:/-]+/g, " ")}`.indexOf(` ${text}`));
    if (places.includes(0)) return 0;
    if (places.some((place) => place > 0)) return 1;
    return names.some((name) => name.includes(text)) ? 2 : 3;
  };
  const matches = options.filter(({ id, label, group, hint = "", words: more = "" }) => {
    const name = `${label} ${id}`.toLowerCase();
    const others = ` ${`${group} ${hint} ${more}`.toLowerCase().replaceAll(/[\s._:/-]+/g, " ")}`;
    return words.every((word) => name.includes(word) || others.includes(` ${word}`));
  });
  return matches
    .map((option): [number, Option] => [rank(option), option])
    .sort(([a, { rank: x = LAST }], [b, { rank: y = LAST }]) => a - b || x - y)
    .map(([, option]) => option);
}

/** Groups options; groups are in the order of their first option. */
function grouped(options: Option[]): [group: string, options: Option[]][] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const group = groups.get(option.group);
    if (group) group.push(option);
    else groups.set(option.group, [option]);
  }
  return [...groups];
}

/** Scrolls only the list; scrollIntoView would also scroll the notebook. */
function reveal(list: HTMLElement | null): void {
  const option = list?.querySelector(".hw-active");
  if (!list || !option) return;
  const box = list.getBoundingClientRect();
  const row = option.getBoundingClientRect();
  list.scrollTop += Math.max(0, row.bottom - box.bottom) - Math.max(0, box.top - row.top);
}

type OptionsProps = {
  id: string;
  groups: [group: string, options: Option[]][];
  /** Index of the active option. */
  at: number;
  value: string;
  pick(option: Option): void;
};

/** The options, each with its index in its id. */
function Options({ id, groups, at, value, pick }: OptionsProps) {
  const places = new Map(groups.flatMap(([, members]) => members).map((option, i) => [option, i]));
  return groups.map(([group, members], g) => (
    // biome-ignore lint/a11y/useSemanticElements: groups of options, not of form fields
    <div role="group" aria-labelledby={`${id}-group${g}`} key={group}>
      <div class="hw-group" role="presentation" id={`${id}-group${g}`}>
        {group}
      </div>
      {members.map((option) => {
        const i = places.get(option) ?? 0;
        return (
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
        );
      })}
    </div>
  ));
}

/** Creates a combobox. `what` is the noun for one option; `say` announces the number of matches. */
export function createCombobox(id: string, what: string, say: (text: string) => void) {
  const open = signal(false);
  const typed = signal<string | null>(null);
  const active = signal(0);
  let list: HTMLElement | null = null;
  let input: HTMLInputElement | null = null;
  let before = "";
  let matchCount = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let aim: ReturnType<typeof setTimeout> | undefined;
  let aimed: string | undefined;
  const keepList = (element: HTMLElement | null) => {
    list = element;
  };
  const keepInput = (element: HTMLInputElement | null) => {
    input = element;
  };

  const close = () => {
    clearTimeout(timer);
    open.set(false);
    typed.set(null);
  };
  const isFocused = (element: HTMLElement | null) =>
    element !== null && element === (element.getRootNode() as Document | ShadowRoot).activeElement;
  /** Selects the text, so that the next key replaces it, also after the value changed while the field has the focus. */
  const selectAll = () => {
    if (isFocused(input)) input?.select();
  };
  /** In the next frame, because a selection has the browser lay out the page, and only if nobody types meanwhile. */
  const selectLater = () => requestAnimationFrame(() => typed.peek() === null && selectAll());
  const tellCount = () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(`${count(matchCount, what)} found`), SETTLED_MS);
  };

  return ({
    label,
    options,
    value,
    onPick,
    onAim,
    locked = false,
    filters,
    shown: allowed = () => true,
  }: Props) => {
    const text = typed();
    const chosen = options.find((option) => option.id === value)?.label ?? value;
    // Not picked here: at once, because somebody may be about to type.
    if (chosen !== before && text === null) queueMicrotask(selectAll);
    before = chosen;
    const offered = open() ? options.filter(allowed) : [];
    const groups = grouped(text ? matching(offered, text) : offered);
    const ordered = groups.flatMap(([, members]) => members);
    matchCount = ordered.length;
    const at = Math.min(active(), ordered.length - 1);
    if (ordered[at]?.id !== aimed) {
      aimed = ordered[at]?.id;
      clearTimeout(aim);
      aim = setTimeout(() => aimed && onAim?.(aimed), AIM_MS);
    }

    const show = () => {
      if (locked || open()) return;
      open.set(true);
      const all = grouped(options.filter(allowed)).flatMap(([, members]) => members);
      active.set(
        Math.max(
          0,
          all.findIndex((option) => option.id === value),
        ),
      );
      setTimeout(() => reveal(list));
    };
    const pick = (option: Option | undefined) => {
      if (!isFocused(input)) input?.focus();
      close();
      if (!option || option.id === value) return;
      before = option.label;
      selectLater();
      onPick(option.id);
    };
    const last = ordered.length - 1;
    const move = (to: number) => {
      if (!open()) return show();
      active.set(to);
      setTimeout(() => reveal(list));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key } = event;
      if (key === "Escape" && open()) {
        input?.focus();
        close();
      } else if (event.target !== input) return;
      else if (key === "ArrowDown") move(at < last ? at + 1 : 0);
      else if (key === "ArrowUp") move(at > 0 ? at - 1 : last);
      else if (key === "PageDown") move(Math.min(at + PAGE, last));
      else if (key === "PageUp") move(Math.max(at - PAGE, 0));
      else if (key === "Enter" && open()) pick(ordered[at]);
      else return;
      event.preventDefault();
    };
    const onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(currentTarget as Element).contains(relatedTarget as Node | null)) close();
    };

    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus of the field and of its list
      <div class="hw-combo" onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
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
              tellCount();
              if (list) list.scrollTop = 0;
            }}
          />
        </Field>
        <div class="hw-pop" hidden={!open()}>
          {open() && filters && (
            <div class="hw-filters" onChange={tellCount}>
              {filters}
              <span class="hw-dim">
                {ordered.length === options.length
                  ? ordered.length
                  : `${ordered.length} of ${options.length}`}
              </span>
            </div>
          )}
          <div
            class="hw-list"
            id={`${id}-list`}
            role="listbox"
            aria-label={label}
            ref={keepList}
            tabIndex={-1} // a scrollable element would be a tab stop
            // Keeps the focus in the field, so that the list stays open while an option or the scroll bar is
            // pressed.
            onMouseDown={(event) => event.preventDefault()}
          >
            <Options id={id} groups={groups} at={at} value={value} pick={pick} />
            {open() && ordered.length === 0 && (
              // biome-ignore lint/a11y: says that there is nothing to choose
              <div class="hw-option hw-dim" role="option" aria-selected="false" aria-disabled="true">
                {text ? `No matches for “${text}”` : "No matches"}
              </div>
            )}
          </div>
        </div>
      </div>
    );
  };
}
