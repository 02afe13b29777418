import type Stripe from "stripe";

import type { Named, Previous, Wire } from "./wire";

type Data<Resource> = { object: Wire<Resource>; previous_attributes?: Previous<Wire<Resource>> };

type Snapshot<Event> = Event extends { data: { object: infer Resource } }
  ? Wire<Omit<Event, "data">> & { data: Data<Resource> }
  : never;

// The library adds methods to a notification, and reads the context.
type Thin<Event> = Event extends { type: string }
  ? Wire<Omit<Event, "context" | "fetchEvent" | "fetchRelatedObject">> & { context?: string }
  : never;

export type Body<Name> = Name extends `v${number}.${string}`
  ? Thin<Named<Stripe.V2.Core.EventNotification, Name>>
  : Snapshot<Named<Stripe.Event, Name>>;
