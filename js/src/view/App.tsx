/** One view: the tabs, what the kernel is doing, and the panels. */
import { effect, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Choose } from "./Choose.js";
import { CustomHeaders } from "./CustomHeaders.js";
import { useView } from "./context.js";
import { History } from "./History.js";
import { Payload } from "./Payload.js";
import { Request, standing } from "./Request.js";
import { Secret } from "./Secret.js";
import { Send } from "./Send.js";
import { Tabs } from "./ui.js";
import { Verify } from "./Verify.js";

type Panel = "generate" | "verify" | "history";

export function App() {
  const { state, uid, root } = useView();
  const panel = useSignal<Panel>("generate");
  const verified = useSignal(false);
  const count = state.deliveries.value.length;
  const provider = state.provider.value;
  // Links come from provider data, which users can add to: nothing but the web.
  const docs = provider?.docs.find((link) => /^https?:\/\//.test(link));
  const attributes = (id: Panel) => ({
    id: `${uid}-${id}`,
    role: "tabpanel" as const,
    "aria-labelledby": `${uid}-${id}-tab`,
    hidden: panel.value !== id,
  });

  useEffect(() => guardKeys(root), []);
  useEffect(() => speakStanding(state), []);

  return (
    <>
      <div class="hw-bar">
        <Tabs
          label="Webhook generator"
          panels={uid}
          current={panel.value}
          onPick={(id) => {
            panel.value = id;
            if (id === "verify") verified.value = true;
          }}
          tabs={[
            { id: "generate", title: "Generate" },
            { id: "verify", title: "Verify" },
            {
              id: "history",
              title: count ? (
                <>
                  History <span class="hw-count">{count}</span>
                </>
              ) : (
                "History"
              ),
            },
          ]}
        />
        {docs && (
          <a class="hw-docs" href={docs} target="_blank" rel="noopener noreferrer">
            {provider?.title} documentation
          </a>
        )}
      </div>
      <Banner />
      <div {...attributes("generate")}>
        <Choose />
        <div class="hw-cols">
          <div class="hw-col">
            <Payload />
            <CustomHeaders />
          </div>
          <div class="hw-col">
            {provider && <Secret slot={provider.id} facts={provider.key} />}
            <Request />
          </div>
        </div>
        <Send />
      </div>
      <div {...attributes("verify")}>{verified.value && <Verify />}</div>
      <div {...attributes("history")}>{panel.value === "history" && <History />}</div>
      <div class="hw-offscreen" role="status" aria-live="polite">
        {state.spoken.value}
      </div>
    </>
  );
}

/**
 * JupyterLab's command mode takes single keys from anything that is not a text field: a focused button must say no,
 * and no plain key may travel on to the notebook.
 */
function guardKeys(root: HTMLElement): () => void {
  const mark = ({ target }: FocusEvent) =>
    (target as Element).setAttribute("data-lm-suppress-shortcuts", "true");
  const keep = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  root.addEventListener("focusin", mark);
  root.addEventListener("keydown", keep);
  return () => {
    root.removeEventListener("focusin", mark);
    root.removeEventListener("keydown", keep);
  };
}

/** Tells where the signature stands once it has settled, not at every key press. */
function speakStanding(state: Parameters<typeof standing>[0]): () => void {
  let said = "";
  return effect(() => {
    const { text } = standing(state);
    const timer = setTimeout(() => {
      if (text !== said && !text.endsWith("…")) state.spoken.value = text;
      said = text;
    }, 700);
    return () => clearTimeout(timer);
  });
}

function Banner() {
  const { state } = useView();
  const kernel = state.kernel.value;
  const trouble = state.trouble.value;
  const words = {
    ready: "",
    waiting: "Waiting for the kernel; what you type is kept.",
    gone: "The kernel was restarted: run the cell again. Your text is kept here.",
    none: "There is no kernel behind this page: this is the request as it was saved.",
  }[kernel];
  return (
    <>
      {words && <p class={`hw-banner ${kernel === "gone" ? "hw-bad" : "hw-warn"}`}>{words}</p>}
      {trouble && <p class="hw-banner hw-bad">{trouble}</p>}
    </>
  );
}
