/** One line of text that is entered; what is wrong with it stands in the element that describes it. */
import { h } from "preact";
import type { Pace } from "../../plot/state.js";

export interface EntryProps {
  id: string;
  /** Its name where no label is its own. */
  label?: string;
  value: string;
  placeholder: string | undefined;
  fixed: boolean;
  wrong: boolean;
  /** The ids of what describes it. */
  described: string;
  help?: string | undefined;
  list?: string | undefined;
  onText(text: string, pace: Pace): void;
  onSettle(): void;
}

export function Entry({ label, fixed, wrong, described, help, onText, onSettle, ...rest }: EntryProps) {
  return (
    <input
      {...rest}
      type="text"
      class="hw-input"
      aria-label={label}
      aria-invalid={wrong || undefined}
      aria-describedby={described || undefined}
      title={help}
      spellcheck={false}
      autocomplete="off"
      readOnly={fixed}
      onInput={(event) => onText(event.currentTarget.value, "type")}
      onChange={onSettle}
    />
  );
}
