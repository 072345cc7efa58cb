import type { KubeObject, Resource } from "@kaji/core";
import type { Used, Watched } from "./declarations.ts";

/** A kind that the handlers of a webhook read, as `use(Bar, "list")` declares it. */
export type ReadKind = Used<KubeObject, "get" | "list">;

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
