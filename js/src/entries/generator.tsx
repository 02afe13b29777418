/** The WebhookGenerator widget. */
import { count } from "../core/bytes.js";
import { widgetOf } from "../core/lifecycle.js";
import { signal } from "../core/signals.js";
import { createRewrites } from "../generator/rewriting.js";
import { createSender } from "../generator/sending.js";
import { createState } from "../generator/state.js";
import { statusOf } from "../generator/status.js";
import { createApp } from "../generator/view/App.js";
import type { PanelName, PasteResult, ToVerify } from "../generator/view/view.js";
import { mount } from "../ui/mount.js";
import { withStaticView } from "../ui/StaticView.js";

export default widgetOf(
  (model, ends) => {
    const state = createState(model, ends);
    return { state, sender: createSender(state), rewrites: createRewrites(state) };
  },
  ({ state, ...work }, el, ends) =>
    mount(el, ends, {
      name: "generator",
      announcer: state,
      openView: state.openView,
      createApp(place) {
        const details = {
          whole: signal(false),
          panel: signal<PanelName>("generate"),
          checkPart: signal<"checks" | "run">("checks"),
          toVerify: signal<ToVerify | null>(null),
          pasted: signal(""),
          pasteResult: signal<PasteResult | null>(null),
        };
        return withStaticView(state, createApp({ state, ...work, ...details, ...place }));
      },
      status() {
        const problems = (state.draftFresh() && state.draft()?.problems.length) || 0;
        return [statusOf(state)[1], problems && `${count(problems, "problem")} in the payload`]
          .filter(Boolean)
          .join(". ");
      },
    }),
);
