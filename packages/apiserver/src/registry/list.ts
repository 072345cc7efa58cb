import { badRequest } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { listOptions, revisionOf } from "../request/list-options.ts";
import type { ListOptions } from "../request/list-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import { isStorageFailure } from "../storage/storage-error.ts";
import type { Page } from "../storage/storage.ts";
import { listComputed } from "./computed.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import type { Listing } from "./listing.ts";
import type { Registry } from "./registry.ts";
import { expired, tooLarge, waitForRevision } from "./revisions.ts";
import { selectionOf } from "./selection.ts";
import type { Selection } from "./selection.ts";
import { ServedObject } from "./served-object.ts";
import type { Target } from "./target.ts";

/** How many entries are looked at in one go while a limited list searches for matches. */
const searchPage = 1000;

/** GET on a collection: lists objects, all of one moment, page by page when asked. */
export async function list(registry: Registry, target: Target, context: RequestContext): Promise<Listing> {
  if (target.version.compute !== undefined) return listComputed(target, target.version.compute, context);
  const options = listOptions(context.query);
  const selection = selectionOf(target.version, options);
  const from = await startOf(registry, options, context);
  return listFrom(registry, target, { selection, limit: limitOf(options), ...from });
}

/** Where a list begins: at which revision (undefined for the newest) and after which key. */
interface Start {
  readonly revision: number | undefined;
  readonly after: string | undefined;
}

async function startOf({ storage }: Registry, options: ListOptions, { clock, signal }: RequestContext): Promise<Start> {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (options.continue !== undefined) {
    const start = decodeContinue(options.continue);
    if (resourceVersion !== undefined && resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    return start;
  }
  if (resourceVersion === undefined || resourceVersion === "0") return { revision: undefined, after: undefined };
  const revision = revisionOf(resourceVersion);
  await waitForRevision(storage, revision, clock, signal);
  // A limit with a resource version has meant exactly that version since before `resourceVersionMatch` existed.
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === undefined && limit > 0);
  return { revision: isExact ? revision : undefined, after: undefined };
}

/** `resourceVersion=0` is answered from the watch cache on the real server, which knows no pages. */
function limitOf({ limit, resourceVersion, resourceVersionMatch }: ListOptions): number {
  const fromCache = resourceVersion === "0" && resourceVersionMatch === undefined;
  return limit > 0 && !fromCache ? limit : 0;
}

interface Query extends Start {
  readonly selection: Selection;
  /** 0 when there is no limit. */
  readonly limit: number;
}

/** Lists what a query means, at its revision. */
export async function listFrom(registry: Registry, target: Target, query: Query): Promise<Listing> {
  const { selection, limit, after } = query;
  const store = registry.store(target.kind, target.version);
  const path = pathOf(registry, target, selection);
  const items: ServedObject[] = [];
  let page = readPage(registry, path, query, after);
  for (;;) {
    const loaded = await ServedObject.load(page.entries, store.codec);
    for (const [index, served] of loaded.entries()) {
      if (selection.matches?.(served.object) === false) continue;
      items.push(served);
      if (items.length === limit) return limited(items, page, index, path, selection);
    }
    const last = page.entries.at(-1);
    if (page.remaining === 0 || last === undefined) return { items, metadata: { resourceVersion: String(page.revision) } };
    page = readPage(registry, path, { ...query, revision: page.revision }, last.key.slice(path.length));
  }
}

function limited(items: readonly ServedObject[], page: Page, index: number, path: string, selection: Selection): Listing {
  const left = page.entries.length - 1 - index + page.remaining;
  const resourceVersion = String(page.revision);
  if (left === 0) return { items, metadata: { resourceVersion } };
  const token = encodeContinue({ revision: page.revision, after: page.entries[index]?.key.slice(path.length) ?? "" });
  const remaining = selection.matches === undefined ? { remainingItemCount: left } : {};
  return { items, metadata: { resourceVersion, continue: token, ...remaining } };
}

function readPage({ storage }: Registry, path: string, { selection, limit, revision }: Query, after: string | undefined): Page {
  const size = selection.matches === undefined ? limit : searchPage;
  try {
    return storage.list(path, {
      atRevision: revision,
      limit: limit > 0 ? size : undefined,
      after: after === undefined ? undefined : path + after,
    });
  } catch (error) {
    if (isStorageFailure(error, "Compacted")) {
      throw expired(after === undefined ? undefined : encodeContinue({ revision: undefined, after }));
    }
    if (isStorageFailure(error, "FutureRevision")) throw tooLarge(revision ?? 0, storage.currentRevision);
    throw error;
  }
}

/** The path in storage that holds all a request can mean: one key, where the selection names it. */
export function pathOf(registry: Registry, { kind, version, namespace }: Target, { name }: Selection): string {
  const store = registry.store(kind, version);
  const isOneKey = name !== undefined && name !== "" && (namespace !== undefined || kind.scope === "Cluster");
  return isOneKey ? store.key(namespace, name) : store.path(namespace);
}

/** The objects of a listing. */
export function objectsOf({ items }: Listing): readonly DynamicObject[] {
  return items.map(({ object }) => object);
}
