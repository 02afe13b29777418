import type { LinearWebhookPayload } from "@linear/sdk/webhooks";

import type { Named, Wire } from "./wire";

export type Body<Name> = Name extends `${infer Entity}.${string}`
  ? Wire<Named<LinearWebhookPayload, Entity>>
  : never;
