/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** One view of the calculator: what is chosen, the inputs, the picture, and what it means. */
import { Fragment, h } from "preact";
import { Banners } from "../../view/Banners.js";
import { createChoose } from "./Choose.js";
import { createDetails } from "./Details.js";
import { createInputs } from "./Inputs.js";
import { Cards, createPicture } from "./Result.js";
import type { View } from "./view.js";

export const SAVED = "these are the inputs as they were saved; the picture needs a kernel";

export function createApp(view: View) {
  const { state } = view;
  const choose = createChoose(view);
  const inputs = createInputs(view);
  const picture = createPicture(view);
  const details = createDetails(view);

  return () => (
    <>
      <Banners state={state} saved={SAVED} />
      {choose()}
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
