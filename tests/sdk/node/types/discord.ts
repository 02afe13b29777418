import type { APIInteraction, APIWebhookEvent } from "discord-api-types/v10";

import type { Wire } from "./wire";

// The type of a ping requires the member `event`, to be undefined.
export type Body<Name> = Name extends "webhook_ping"
  ? Wire<Omit<Extract<APIWebhookEvent, { type: 0 }>, "event">>
  : Wire<APIInteraction | Extract<APIWebhookEvent, { type: 1 }>>;
