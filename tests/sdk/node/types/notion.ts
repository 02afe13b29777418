import type * as notion from "@notionhq/client";

import type { Named, Wire } from "./wire";

type Payload =
  | notion.CommentCreatedWebhookPayload
  | notion.DataSourceSchemaUpdatedWebhookPayload
  | notion.DatabaseCreatedWebhookPayload
  | notion.PageContentUpdatedWebhookPayload
  | notion.PageCreatedWebhookPayload
  | notion.PageDeletedWebhookPayload
  | notion.PageMovedWebhookPayload
  | notion.PagePropertiesUpdatedWebhookPayload;

export type Body<Name> = Wire<Named<Payload, Name>>;
