import type { WebhookEventPayload } from "resend";

import type { Named, Wire } from "./wire";

export type Body<Name> = Wire<Named<WebhookEventPayload, Name>>;
