import type { KubeClient } from "@kaji/client";
import { formatKind, unlessGone } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import type { NotDeclared } from "../declare/access.ts";
import type { Used } from "../declare/declarations.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import { kindId } from "../declare/kind-id.ts";
import { listWhereLooked } from "../reconcile/live-reads.ts";
import type { LiveReads } from "../declare/reconcile-context.ts";
import { partWord } from "../declare/reading-part.ts";
import type { ReadKind, ReadingPart } from "../declare/reading-part.ts";

/** The reads that declarations allow; others do not compile. */
export type WebhookReads<Uses extends readonly ReadKind[]> = LiveReads<Readable<Uses[number], "get">, Readable<Uses[number], "list">>;

/** A client, as far as webhooks need one. */
export interface WebhookReader extends Pick<KubeClient, "get" | "list"> {
  readonly discovery: Pick<KubeClient["discovery"], "resourceOf">;
}

/** What the handlers of a webhook read, from the server, for as long as it waits for their answer. */
export function webhookReads(
  part: Pick<ReadingPart, "resource" | "type" | "uses">,
  { reader, namespaces }: { readonly reader?: (() => WebhookReader) | undefined; readonly namespaces?: readonly string[] | undefined },
  signal: AbortSignal | undefined,
): LiveReads<KubeObject> {
  const client = (): WebhookReader => {
    if (reader === undefined) throw new Error(`the ${partWord(part)} of ${formatKind(part.resource)} was given no client to read with`);
    return reader();
  };
  const clientFor = (verb: "get" | "list", resource: Resource): WebhookReader => {
    const isAbout = (used: ReadKind): boolean => isOfAnyKind(used) || kindId(used.resource) === kindId(resource);
    if (!part.uses.some((used) => isAbout(used) && used.verbs.includes(verb))) {
      throw new Error(
        `the ${partWord(part)} of ${formatKind(part.resource)} does not declare ${verb} of ${formatKind(resource)}: add use(${resource.kind}, "${verb}") to its uses`,
      );
    }
    return client();
  };
  const options = signal === undefined ? {} : { signal };
  return {
    get: async (resource, address) => unlessGone(clientFor("get", resource).get(resource, address, options)),
    list: async (resource, query = {}) => listWhereLooked(clientFor("list", resource), namespaces, resource, { ...query, ...options }),
    resourceOf: async (object) => unlessGone(client().discovery.resourceOf(object, signal)),
  };
}

type Readable<Entry, V extends "get" | "list"> =
  | (Entry extends Used<infer T, infer Verbs> ? (V extends Verbs ? T : never) : never)
  | NotDeclared<`declare ${V} in uses`>;
