/** The generator's view: tabs, status of the kernel, and panels. */
import { Fragment, h } from "preact";
import { Banners } from "../../ui/Banners.js";
import { Hint, Section, TabPanel, Tabs } from "../../ui/controls.js";
import { createLazy } from "./Lazy.js";
import { createPayload } from "./payload/Payload.js";
import { createProviderBar } from "./provider/ProviderBar.js";
import { createSend } from "./request/Send.js";
import type { View } from "./view.js";

/** With a key in the kernel and all of these locked, there is nothing to do but to send. */
const RUNBOOK = ["provider", "event", "scheme", "url", "body", "headers", "clock"];

export function createApp(view: View) {
  const { state, id, panel } = view;
  const panels = id("panel");
  const lazy = createLazy(view);
  const choose = createProviderBar(view, lazy);
  const payload = createPayload(view, lazy);
  const send = createSend(view, lazy);
  return () => {
    const current = panel();
    const provider = state.provider();
    const sent = state.deliveries().length;
    // Links come from provider data, which users can extend, so only http and https are allowed.
    const docs = provider?.docs.find((link) => /^https?:\/\//.test(link));
    const isRunbook = state.inputs.signer() === "kernel" && RUNBOOK.every(state.locked);
    const banners = <Banners state={state} saved="the request is shown as it was saved" />;
    const spoken = (
      <div class="hw-offscreen" role="status" aria-live="polite">
        {state.spokenIn(view.root)}
      </div>
    );
    if (isRunbook && !view.whole() && current === "generate" && state.kernel() !== "none") {
      return (
        <>
          {banners}
          {lazy("runbook")}
          {spoken}
        </>
      );
    }
    return (
      <>
        <div class="hw-bar">
          <Tabs
            label="Webhook generator"
            panels={panels}
            current={current}
            onPick={panel.set}
            tabs={[
              ["generate", "Generate"],
              ["verify", "Verify"],
              ["check", "Check"],
              ["history", ["History", sent > 0 && <span class="hw-count">{sent}</span>]],
            ]}
          />
          {docs && (
            <a class="hw-docs" href={docs} target="_blank" rel="noopener noreferrer">
              {provider?.title} documentation
            </a>
          )}
        </div>
        {/* Always rendered, if hidden: inserting an element before the panels would make Preact rebuild them. */}
        {banners}
        <TabPanel panels={panels} id="generate" current={current} onKeyDown={send.onKeyDown}>
          <div class="hw-generate">
            {send.draw()}
            {send.response()}
            {choose()}
            <div class="hw-inputs">
              {provider &&
                lazy(
                  "secret",
                  <section class="hw-section hw-coming" aria-label="Secret">
                    {lazy.status()}
                  </section>,
                )}
              {!provider && state.kernel() !== "none" && <div class="hw-section hw-coming" />}
              {payload()}
              {lazy("request", <Unsigned view={view} />)}
            </div>
          </div>
        </TabPanel>
        <TabPanel panels={panels} id="verify" current={current}>
          {current === "verify" && lazy("verify")}
        </TabPanel>
        <TabPanel panels={panels} id="check" current={current}>
          {current === "check" && lazy("check")}
        </TabPanel>
        <TabPanel panels={panels} id="history" current={current}>
          {current === "history" && lazy("history")}
        </TabPanel>
        {spoken}
      </>
    );
  };
}

/** Section of the request until it can be drawn. */
function Unsigned({ view: { state, id } }: { view: View }) {
  return (
    <Section id={id("request-title")} title="Request">
      <Hint>
        {state.still()
          ? "Headers are shown above."
          : state.kernel() === "none"
            ? "Headers need a kernel. export_html(path) saves a page with headers and command."
            : "No headers yet."}
      </Hint>
    </Section>
  );
}
