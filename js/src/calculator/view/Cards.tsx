/** Key figures. */
import { h } from "preact";
import { staleness } from "../../plot/view/Picture.js";
import type { State } from "../state.js";

export function Cards({ state }: { state: State }) {
  const cards = state.frames.frame()?.cards ?? [];
  if (cards.length === 0) return null;
  return (
    <dl class={`hw-cards ${staleness(state)}`}>
      {cards.map(({ title, value, note }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
          {note && <dd class="hw-hint">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
