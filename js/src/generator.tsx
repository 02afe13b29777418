/** The WebhookGenerator widget. */
import { count } from "./bytes.js";
import { createState } from "./model.js";
import { createRewrites } from "./rewriting.js";
import { createSender } from "./sending.js";
import { createApp } from "./view/App.js";
import { mount } from "./view/mount.js";
import { standing } from "./view/Request.js";
import { orSaved } from "./view/Saved.js";
import { widgetOf } from "./widget.js";

export default widgetOf(
  (model, ends) => {
    const state = createState(model, ends);
    return { state, sender: createSender(state), rewrites: createRewrites(state) };
  },
  ({ state, ...work }, el, ends) =>
    mount(el, ends, {
      say: state.say,
      openView: state.openView,
      createApp: (place) => orSaved(state, createApp({ state, ...work, ...place })),
      standing() {
        const problems = (state.draftFresh() && state.draft()?.problems.length) || 0;
        return [standing(state)[1], problems && `${count(problems, "problem")} in the payload`]
          .filter(Boolean)
          .join(". ");
      },
    }),
);
