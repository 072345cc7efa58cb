import type { Resource } from "@kaji/core";
import type { Watched } from "../declare/declarations.ts";
import type { ReadKind } from "./webhook-reads.ts";

/** What reads while an API server waits for its answer: a webhook, or an API of the operator's own. */
export interface ReadingPart {
  readonly type: "Api" | "Webhook";
  readonly resource: Resource;
  /** The kinds that its handlers read from the server. */
  readonly uses: readonly ReadKind[];
  /** The kinds that its handlers read from memory. */
  readonly watches: readonly Watched[];
  /** How long the API server waits for it. */
  readonly matching?: { readonly timeoutSeconds?: number } | undefined;
}

/** How messages call it. */
export function partWord({ type }: Pick<ReadingPart, "type">): "API" | "webhook" {
  return type === "Api" ? "API" : "webhook";
}
