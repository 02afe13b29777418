/** The RateLimitCalculator widget. */
import { createState } from "./calculator/state.js";
import { createApp, SAVED } from "./calculator/view/App.js";
import { standing } from "./pictured/view/Picture.js";
import { kernelNote } from "./view/Banners.js";
import { mount } from "./view/mount.js";
import { orSaved } from "./view/Saved.js";
import { widgetOf } from "./widget.js";

export default widgetOf(
  (model, ends) => createState(model, ends),
  (state, el, ends) =>
    mount(el, ends, {
      say: state.say,
      openView: state.openView,
      createApp: (place) => orSaved(state, createApp({ state, ...place })),
      standing: () => kernelNote(state, SAVED) || state.trouble() || standing(state)[1],
    }),
);
