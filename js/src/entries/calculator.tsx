/** The RateLimitCalculator widget. */
import { createState } from "../calculator/state.js";
import { createApp, SAVED } from "../calculator/view/App.js";
import { widgetOf } from "../core/lifecycle.js";
import { statusOf } from "../plot/view/Picture.js";
import { kernelNote } from "../ui/Banners.js";
import { mount } from "../ui/mount.js";
import { NO_REPLY, withStaticView } from "../ui/StaticView.js";

export default widgetOf(
  (model, ends) => createState(model, ends),
  (state, el, ends) =>
    mount(el, ends, {
      name: "calculator",
      announcer: state,
      openView: state.openView,
      createApp: (place) => withStaticView(state, createApp({ state, ...place }), NO_REPLY),
      status: () => kernelNote(state, SAVED) || state.trouble() || statusOf(state)[1],
    }),
);
