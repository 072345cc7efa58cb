import type { KubeObject, Resource, Selector } from "@kaji/core";
import type { UserInfo } from "@kaji/core/serving";
import type { View } from "@kaji/informer";
import type { LiveReads } from "../declare/reconcile-context.ts";
import type { ReadKind } from "../declare/reading-part.ts";
import type { AnyWebhookCache, CachedBy, CachedKind, WebhookCache } from "../webhook/webhook-cache.ts";
import type { WebhookReads } from "../webhook/webhook-reads.ts";
import type { ApiRow } from "./object-table.ts";

/** Objects, of which those are shown that were asked for, or another document that is shown as it is. */
export type ApiReply =
  | { readonly type: "Objects"; readonly heads: readonly string[]; readonly rows: readonly ApiRow[] }
  | { readonly type: "Document"; readonly document: object };

/** What is asked, and what an answer can be made of. */
export interface ApiQuestion<Uses extends readonly ReadKind[] = readonly [], Watches extends readonly CachedKind[] = readonly []> {
  /** Undefined: in all of them, or the kind is in none. */
  readonly namespace: string | undefined;
  /** Of the one object that is asked for. Undefined: all of them are. */
  readonly name: string | undefined;
  /** Which labels are asked for. */
  readonly labelSelector: Selector;
  /** When it is asked, in ms since 1970. */
  readonly nowMs: number;
  /** Who asks. Whether they may has been decided. */
  readonly user: UserInfo;
  /** Reads what is declared in `uses`, from the server. */
  readonly live: WebhookReads<Uses>;
  /** Reads what is declared in `watches`, from memory, once all of it is there. */
  readonly cache: WebhookCache<Watches>;
  /** Whether the server has a kind of `watches`: false of an optional one that is not installed. */
  isServed<C extends CachedBy<Watches>>(this: void, of: Resource<C> | View<C>): boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
}

/** The same with reads of every kind: which ones, the types of the handlers have checked. */
export interface AnyApiQuestion extends Omit<ApiQuestion, "cache" | "isServed" | "live">, AnyWebhookCache {
  readonly live: LiveReads<KubeObject>;
  /** Which labels of a metric are asked for, where `labelSelector` says which objects. */
  readonly metricLabelSelector: Selector;
}
