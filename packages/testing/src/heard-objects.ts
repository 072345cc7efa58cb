import { ApiError, arrayAt, parseJson, parseJsonBytes, textAt, valueAt } from "@kaji/core";
import type { JsonValue, ListerWatcher, ListerWatcherSource, WatchParameters } from "@kaji/core";

/** Objects by their uids, and which version of each it is. */
type Versions = Map<string, string>;

interface Collection {
  readonly listerWatcher: ListerWatcher;
  heard: Versions;
  /** Whether an informer wants to be told of it. */
  isFollowed: boolean;
}

const pageSize = 500;

/** Listens in on what informers are told, and so knows whether something is still on its way to them. */
export class HeardObjects {
  /** What the informers are to ask. */
  readonly source: ListerWatcherSource;
  readonly #collections: Collection[] = [];

  constructor(source: ListerWatcherSource) {
    this.source = (resource, scope) => {
      const collection: Collection = { listerWatcher: source(resource, scope), heard: new Map(), isFollowed: false };
      this.#collections.push(collection);
      return overheard(collection);
    };
  }

  /** Whether the informers have been told of all that the server had when this was called. */
  async areAll(signal: AbortSignal): Promise<boolean> {
    for (const collection of this.#collections) {
      if (collection.isFollowed && !(await isHeard(collection, signal))) return false;
    }
    return true;
  }
}

async function isHeard({ listerWatcher, heard }: Collection, signal: AbortSignal): Promise<boolean> {
  const there: Versions = new Map();
  let next: string | undefined;
  try {
    do {
      next = addPage(there, await listerWatcher.list({ limit: pageSize, signal, ...(next === undefined ? {} : { continue: next }) }));
    } while (next !== undefined);
  } catch (error) {
    // Of a kind that is gone the informer has yet to hear so.
    if (error instanceof ApiError) return false;
    throw error;
  }
  return there.size === heard.size && there.entries().every(([uid, version]) => heard.get(uid) === version);
}

function overheard(collection: Collection): ListerWatcher {
  const { listerWatcher } = collection;
  return {
    async list(parameters) {
      const bytes = await listerWatcher.list(parameters);
      if (parameters.continue === undefined) collection.heard = new Map();
      addPage(collection.heard, bytes);
      return bytes;
    },
    async watch(parameters) {
      collection.isFollowed = false;
      const body = await listerWatcher.watch(parameters);
      collection.isFollowed = true;
      if (parameters.sendInitialEvents === true) collection.heard = new Map();
      return noted(body, parameters, collection);
    },
  };
}

async function* noted(body: AsyncIterable<Uint8Array>, { signal }: WatchParameters, collection: Collection): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let unread = "";
  try {
    for await (const chunk of body) {
      const lines = (unread + decoder.decode(chunk, { stream: true })).split("\n");
      unread = lines.pop() ?? "";
      for (const line of lines) note(collection.heard, parseJson(line));
      yield chunk;
    }
  } finally {
    // Unless the server has ended it, nobody wants to know any more.
    if (signal.aborted) collection.isFollowed = false;
  }
}

function note(heard: Versions, event: JsonValue): void {
  const type = textAt(event, "type");
  const { uid, version } = identityOf(valueAt(event, "object"));
  if (type === "ADDED" || type === "MODIFIED") heard.set(uid, version);
  else if (type === "DELETED") heard.delete(uid);
}

/** Adds the objects of a page, and returns the token of the next one. */
function addPage(versions: Versions, bytes: Uint8Array): string | undefined {
  const page = parseJsonBytes(bytes);
  for (const item of arrayAt(page, "items")) {
    const { uid, version } = identityOf(item);
    versions.set(uid, version);
  }
  return textAt(page, "metadata", "continue") || undefined;
}

function identityOf(object: JsonValue | undefined): { readonly uid: string; readonly version: string } {
  return { uid: textAt(object, "metadata", "uid"), version: textAt(object, "metadata", "resourceVersion") };
}
