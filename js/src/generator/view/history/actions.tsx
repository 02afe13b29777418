/** Actions on history entries and on the requests of checks. */

import { download } from "../../../ui/download.js";
import { createAttempts } from "../../attempts.js";
import { Button, copyText, Fragment, h, nothing } from "../../lazy-exports.js";
import { textReply } from "../../replies.js";
import type { View } from "../view.js";

export function createActions({ state, root, id, panel }: View) {
  const { failure, attempt } = createAttempts(state.say);
  const copyCurl = (n: number | string) =>
    attempt(async () => {
      const { value } = await state.rpc.request("past_curl", { n }, textReply);
      if (!(await copyText(value.text, root))) throw new Error("The browser blocked copying the command");
      state.say("Command copied");
    });
  const openInEditor = (n: number | string) =>
    attempt(async () => {
      await state.rewrite("open", { n }, nothing);
      panel.set("generate");
      root.querySelector<HTMLElement>(`#${id("panel")}-generate-tab`)?.focus();
      state.say(`${typeof n === "string" ? "Check" : "Delivery"} ${n} is in the editor`);
    });
  return {
    failure,
    attempt,
    /** Buttons for the request of a delivery or of a check. */
    buttons: (n: number | string) => (
      <>
        <Button onClick={() => copyCurl(n)}>Copy as curl</Button>
        <Button onClick={() => openInEditor(n)}>Open in Generate</Button>
      </>
    ),
    save: (form: "har" | "json") =>
      attempt(async () => {
        const { buffers } = await state.rpc.request("export", { form }, nothing, { slow: true });
        const name = `deliveries.${form}`;
        download(root.ownerDocument, buffers[0] ?? new Uint8Array(), name, "application/json");
        state.say(`Saved as ${name}`);
      }),
    clear: () =>
      attempt(async () => {
        await state.rpc.request("clear", {}, nothing);
        state.say("History cleared");
      }),
  };
}
