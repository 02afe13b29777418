/** Samples of code for servers and clients, each with a button that copies it. */
import { Fragment, h } from "preact";
import { type Copying, createCopy, Hint, Pre } from "../../ui/controls.js";

type Sample = { title: string; code: string; note: string };

/** Creates a view of `samples()`; while they are not `whole()`, as during a change, they cannot be copied. */
export function createSamples(place: Copying, samples: () => readonly Sample[], whole: () => boolean) {
  const copies = new Map<string, ReturnType<typeof createCopy>>();
  const codeOf = (title: string) => samples().find((sample) => sample.title === title)?.code ?? "";
  const copy = (title: string) => {
    if (!copies.has(title))
      copies.set(
        title,
        createCopy(place, title, () => codeOf(title)),
      );
    return copies.get(title)?.({ disabled: !whole() });
  };
  return () => (
    <>
      {samples().map(({ title, code, note }) => (
        <div class="hw-answer" key={title}>
          <div class="hw-head">
            <h3>{title}</h3>
            <span class="hw-right">{copy(title)}</span>
          </div>
          <Pre label={title} code>
            {code}
          </Pre>
          {note && <Hint>{note}</Hint>}
        </div>
      ))}
    </>
  );
}
