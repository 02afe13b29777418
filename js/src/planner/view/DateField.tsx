/** Date field, typed (2027-01-31) or picked; a typed time of day is kept. */
import { h } from "preact";
import { Entry, type EntryProps } from "./Entry.js";

const DAY = /^\d{4}-\d\d-\d\d/;

export function DateField(props: EntryProps & { label: string }) {
  const { label, value, fixed, onText } = props;
  const day = DAY.exec(value)?.[0] ?? "";
  const pick = (event: { currentTarget: HTMLElement }) => {
    const picker = event.currentTarget.parentElement?.querySelector<HTMLInputElement>("[type=date]");
    try {
      picker?.showPicker();
    } catch {
      // A cross-origin frame may not open a date picker: then the date is typed.
      event.currentTarget.parentElement?.querySelector("input")?.focus();
    }
  };
  return (
    <div class="hw-date">
      <Entry {...props} />
      {!fixed && (
        <input
          type="date"
          aria-hidden="true"
          tabIndex={-1}
          value={day}
          onChange={(event) => {
            const picked = event.currentTarget.value;
            onText(picked && day ? value.replace(DAY, picked) : picked, "now");
          }}
        />
      )}
      {!fixed && (
        <button type="button" class="hw-btn hw-quiet" aria-label={`Pick a date: ${label}`} onClick={pick}>
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path
              fill="none"
              stroke="currentColor"
              stroke-width="1.3"
              d="M2 3.5h12v10.5H2zM2 6.5h12M5 1.5v3M11 1.5v3"
            />
          </svg>
        </button>
      )}
    </div>
  );
}
