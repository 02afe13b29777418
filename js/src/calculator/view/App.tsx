/** The calculator's view: selectors, inputs, picture and explanation. */
import { Fragment, h } from "preact";
import { createPicture } from "../../plot/view/Picture.js";
import { Banners } from "../../ui/Banners.js";
import { Jump } from "../../ui/controls.js";
import { heightFor } from "../state.js";
import { Advice } from "./Advice.js";
import { Cards } from "./Cards.js";
import { createDetails } from "./Details.js";
import { createInputs } from "./Inputs.js";
import { LockedBanner } from "./LockedBanner.js";
import { createOverlay } from "./Overlay.js";
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
    overlay: createOverlay(view),
  });
  const details = createDetails(view);

  return () => (
    <>
      <Banners state={state} saved={SAVED} />
      <LockedBanner state={state} />
      {presetBar()}
      <Jump root={view.root} to=".hw-inputs">
        Go to inputs
      </Jump>
      <div class="hw-calc">
        {inputs()}
        {picture()}
        <section class="hw-details-area" aria-label="What it means" aria-busy={state.frames.unread()}>
          <Advice state={state} />
          <Cards state={state} />
        </section>
        <section
          class="hw-details-area hw-tables"
          aria-label="Tables and code"
          aria-busy={state.frames.unread()}
        >
          {details()}
        </section>
      </div>
      <div class="hw-offscreen" role="status" aria-live="polite">
        {state.spokenIn(view.root)}
      </div>
    </>
  );
}
