/** The planner's view: conventions, versions, date, picture, responses and announcements. */
import { Fragment, h } from "preact";
import { createPicture } from "../../plot/view/Picture.js";
import { Banners } from "../../ui/Banners.js";
import { createAnswer } from "./Answer.js";
import { createConventions } from "./Conventions.js";
import { createDetails } from "./Details.js";
import { createMoment } from "./Moment.js";
import { createVersions } from "./Versions.js";
import { type View, where } from "./view.js";

export const SAVED = "the dates are shown as they were saved; a new chart needs a kernel";

export function createApp(view: View) {
  const { state } = view;
  const conventions = createConventions(view);
  const versions = createVersions(view);
  const moment = createMoment(view);
  const picture = createPicture({ ...view, where: (field) => where(state, field), blank: 200 });
  const answer = createAnswer(view);
  const details = createDetails(view);

  return () => (
    <>
      <Banners state={state} saved={SAVED} />
      {conventions()}
      {versions()}
      {moment()}
      <div class="hw-plan">
        {picture()}
        {answer()}
      </div>
      <section class="hw-details-area" aria-label="Dates and notices" aria-busy={state.frames.unread()}>
        {details()}
      </section>
      <div class="hw-offscreen" role="status" aria-live="polite">
        {state.spokenIn(view.root)}
      </div>
    </>
  );
}
