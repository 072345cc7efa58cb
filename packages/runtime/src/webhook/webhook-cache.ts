import { formatKind } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { asView } from "@kaji/informer";
import type { View } from "@kaji/informer";
import type { NotDeclared, ReadableOf } from "../declare/access.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import { watch } from "../declare/declarations.ts";
import type { MappingReads, Watched } from "../declare/declarations.ts";
import { kindId } from "../declare/kind-id.ts";
import type { CacheReads } from "../declare/reconcile-context.ts";
import { kindText } from "./webhook-path.ts";
import { partWord } from "../declare/reading-part.ts";
import type { ReadingPart } from "../declare/reading-part.ts";

/** A kind that the handlers of a webhook read from memory: by itself, as a view, or as `watch(Bar, { namespaces: ["shop"] })` declares it. */
export type CachedKind = Resource | View<KubeObject> | Watched<KubeObject, never>;

/** The kinds that declarations let be read from memory; others do not compile. */
export type CachedBy<Watches extends readonly CachedKind[]> = ReadableOf<Watches[number]> | NotDeclared<"add the kind to watches">;

/** Reads of a webhook from memory. The objects are shared and must not be changed. */
export type WebhookCache<Watches extends readonly CachedKind[]> = Omit<CacheReads<CachedBy<Watches>>, "owned" | "resourceOf">;

/** The same for any kind: which ones, the types of the handlers have checked. */
export interface AnyWebhookCache {
  readonly cache: MappingReads;
  readonly isServed: (of: Resource | View<KubeObject>) => boolean;
}

/** What is told to a handler that reads from memory what it has not declared. */
export function undeclaredCache(part: Pick<ReadingPart, "resource" | "type">, resource: Resource): Error {
  return new Error(
    `the ${partWord(part)} of ${formatKind(part.resource)} does not declare ${formatKind(resource)}: add ${resource.kind} to its watches`,
  );
}

/** The reads of a webhook for which nothing is mirrored. */
export function noCache(part: Pick<ReadingPart, "resource" | "type" | "watches">): AnyWebhookCache {
  const fail = (of: Resource | View<KubeObject>): never => {
    const { resource } = asView(of);
    if (!part.watches.some((watched) => kindId(watched.resource) === kindId(resource))) throw undeclaredCache(part, resource);
    throw new Error(`the ${partWord(part)} of ${formatKind(part.resource)} was given no mirrors to read from`);
  };
  return { cache: { get: fail, list: fail, by: fail }, isServed: fail };
}

/** What a webhook or an API declares in `watches`, each kind in the form that says all of it. Throws at what is of no use there. */
export function cachedKinds(part: Pick<ReadingPart, "resource" | "type">, watches: readonly CachedKind[]): readonly Watched[] {
  return watches.map((entry) => {
    const watched: Watched = "type" in entry && entry.type === "Watched" ? entry : watch(entry);
    const { resource, toKeys, predicates, priority } = watched;
    if (isOfAnyKind(watched))
      throw new TypeError(
        `the ${partWord(part)} of ${kindText(part.resource)} watches anyKind, but kinds are mirrored before it is asked: name them, or use anyKind live`,
      );
    const useless = Object.entries({ toKeys, priority, predicates: predicates.length === 0 ? undefined : predicates });
    const [field] = useless.find(([, value]) => value !== undefined) ?? [];
    if (field !== undefined)
      throw new TypeError(
        `the ${partWord(part)} of ${kindText(part.resource)} watches ${resource.kind} with ${field}, but reconciles nothing: leave it out`,
      );
    return watched;
  });
}
