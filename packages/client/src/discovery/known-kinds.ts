import type { ServedResource } from "./served-resource.ts";

/** What was served in each group version when it was last asked for, until there is a sign that it is not so any more. */
export class KnownKinds {
  readonly #served = new Map<string, readonly ServedResource[]>();

  /** What is known to be served in a group version, such as `apps/v1`. */
  in(groupVersion: string): readonly ServedResource[] {
    return this.#served.get(groupVersion) ?? [];
  }

  remember(groupVersion: string, served: readonly ServedResource[]): void {
    this.#served.set(groupVersion, served);
  }

  /** The server has nothing at a path. A definition may have been deleted, and made again with another plural or scope. */
  forgetAt(path: string): void {
    const [, ofCore, ofGroup] = /^\/(?:api\/([^/?]+)|apis\/([^/?]+\/[^/?]+))/.exec(path) ?? [];
    this.#served.delete(ofCore ?? ofGroup ?? "");
  }
}
