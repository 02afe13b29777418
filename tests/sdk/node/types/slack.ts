import type { SlackEvent } from "@slack/types";

import type { Named, Wire } from "./wire";

type Message<Subtype> = Extract<SlackEvent, { type: "message"; subtype: Subtype }>;

// Messages of a subtype are events of their own here, such as message.message_changed.
export type Body<Name> = Wire<
  Name extends `message.${infer Subtype}`
    ? Message<Subtype>
    : Name extends "message"
      ? Message<undefined>
      : Named<SlackEvent, Name>
>;
