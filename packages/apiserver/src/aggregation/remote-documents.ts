import { bodyText, isJsonObject, parseJson } from "@kaji/core";
import type { Clock, JsonObject } from "@kaji/core";
import type { RemoteDocument } from "../openapi/merged-v2.ts";
import type { RemoteService } from "./api-service.ts";
import { inspect } from "./availability.ts";
import type { ExtensionCaller } from "./extension-caller.ts";

/** What an extension server is asked about: the server, its path, and something that is another when its documents may be. */
export interface DocumentSource {
  readonly name: string;
  readonly remote: RemoteService;
  readonly path: string;
  readonly state: string;
}

/** The documents of OpenAPI v2 of extension servers. Each is fetched on first use, and again when it may have changed. */
export class RemoteDocuments {
  readonly #caller: ExtensionCaller;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly state: string; readonly document: RemoteDocument }>();

  constructor(caller: ExtensionCaller, clock: Clock) {
    this.#caller = caller;
    this.#clock = clock;
  }

  /** The documents there are. A server that has none is left out, and asked again the next time. */
  async all(sources: readonly DocumentSource[]): Promise<readonly RemoteDocument[]> {
    const found = await Promise.all(sources.map((source) => this.#of(source)));
    return found.filter((document) => document !== undefined);
  }

  async #of({ name, remote, path, state }: DocumentSource): Promise<RemoteDocument | undefined> {
    const known = this.#known.get(name);
    if (known?.state === state && known.document.path === path) return known.document;
    const document = await this.#fetch(remote);
    if (document === undefined) return undefined;
    const fresh = { document, path };
    this.#known.set(name, { state, document: fresh });
    return fresh;
  }

  async #fetch(remote: RemoteService): Promise<JsonObject | undefined> {
    try {
      using inspection = inspect(this.#caller, remote, { clock: this.#clock });
      const { status, body } = await inspection.ask("/openapi/v2");
      const text = await bodyText(body);
      const document = status === 200 ? parseJson(text) : undefined;
      return isJsonObject(document) ? document : undefined;
    } catch {
      return undefined; // Not every server has one; that is no reason not to use it.
    }
  }
}
