/** The announcements of one widget in several views. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnnouncer } from "../src/core/announcer.js";

const view = () => new EventTarget() as HTMLElement;

test("of several views one speaks: the first, then the one that has the focus", () => {
  const announcer = createAnnouncer();
  const [first, second] = [view(), view()];
  const close = announcer.openSpeaker(first);
  announcer.openSpeaker(second);
  const spoken = () => [first, second].map(announcer.spokenIn);
  announcer.say("Saved");
  assert.deepEqual(spoken(), ["Saved", ""]);

  second.dispatchEvent(new Event("focusin"));
  assert.deepEqual(spoken(), ["", ""]); // what the other view said is not said again
  announcer.say("Copied");
  assert.deepEqual(spoken(), ["", "Copied"]);

  first.dispatchEvent(new Event("focusin"));
  close();
  announcer.say("Sent");
  assert.equal(announcer.spokenIn(second), "Sent");
});

test("a status that each view says is said once, and any other text again", () => {
  const announcer = createAnnouncer();
  announcer.sayStatus("No request is rejected");
  announcer.sayStatus("No request is rejected");
  assert.equal(announcer.spoken(), "No request is rejected");

  announcer.say("No request is rejected");
  assert.equal(announcer.spoken(), "No request is rejected\u00a0");
});
