import { createClient } from "@kaji/client";
import { Widget } from "../informer/widget.ts";
import type { Protocol } from "./protocol.ts";

/** Makes one request. */
export async function first(talk: Protocol): Promise<void> {
  await using client = await createClient();
  await client.get(Widget, "default/widget-0");
  talk.say("answered");
}
