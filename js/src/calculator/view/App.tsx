/** One view of the calculator: what is chosen, the inputs, the picture, and what it means. */
import { Fragment, h } from "preact";
import { Banners } from "../../generator/view/Banners.js";
import { createPicture } from "../../plot/view/Picture.js";
import { heightFor } from "../state.js";
import { Cards } from "./Cards.js";
import { createDetails } from "./Details.js";
import { createInputs } from "./Inputs.js";
import { createPresetBar } from "./PresetBar.js";
import { type View, where } from "./view.js";

export const SAVED = "these are the inputs as they were saved; a new picture needs a kernel";

export function createApp(view: View) {
  const { state } = view;
  const presetBar = createPresetBar(view);
  const inputs = createInputs(view);
  const picture = createPicture({
    ...view,
    where: (field) => where(state, field),
    blank: heightFor(600, false),
  });
  const details = createDetails(view);

  return () => (
    <>
      <Banners state={state} saved={SAVED} />
      {presetBar()}
      <div class="hw-calc">
        {inputs()}
        {picture()}
        <section class="hw-details-area" aria-label="What it means" aria-busy={state.frames.unread()}>
          <Cards state={state} />
          {details()}
        </section>
      </div>
      <div class="hw-offscreen" role="status" aria-live="polite">
        {state.spoken()}
      </div>
    </>
  );
}
