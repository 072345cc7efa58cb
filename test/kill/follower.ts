import type { KubeClient } from "@kaji/client";
import { ApiError } from "@kaji/core";
import { ConfigMap } from "@kaji/types/core/v1";
import { namespace } from "./ledger.ts";

/** Follows the objects by watching, and resumes where it was whenever the server has been away. It never lists. */
export class Follower {
  /** What the events so far come to. */
  readonly objects = new Map<string, string | undefined>();
  #resourceVersion: string | undefined;

  /** Follows until an object of this name appears, or the server is gone. */
  async follow(client: KubeClient, until: string): Promise<void> {
    const from = this.#resourceVersion === undefined ? {} : { resourceVersion: this.#resourceVersion };
    try {
      for await (const event of client.watch(ConfigMap, { namespace, ...from })) {
        if (event.type === "BOOKMARK") continue;
        const { metadata, data } = event.object;
        this.#resourceVersion = metadata.resourceVersion;
        if (event.type === "DELETED") this.objects.delete(metadata.name);
        else this.objects.set(metadata.name, data?.["value"]);
        if (metadata.name === until) return;
      }
    } catch (error) {
      // A refusal would mean that what it has not seen is gone; a connection that breaks means nothing.
      if (error instanceof ApiError) throw error;
    }
  }
}
