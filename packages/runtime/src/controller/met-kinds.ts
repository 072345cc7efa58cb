import { errorMessage, formatKind, isReason, onAbort } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { InformerState } from "@kaji/informer";
import type { Owned, Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { kindId } from "../declare/kind-id.ts";
import { openDeclaration } from "../declare/open-declaration.ts";
import type { OpenDeclaration } from "../declare/open-declaration.ts";
import type { FollowedKind, KeyIntake } from "./key-intake.ts";

/** Follows the kinds that a controller of `anyKind` comes to know while it runs: each from when it is first asked for, as the declaration says. */
export class MetKinds {
  readonly #intake: KeyIntake;
  readonly #owned: OpenDeclaration<Owned>;
  readonly #watched: OpenDeclaration<Watched>;
  readonly #met = new Map<string, readonly FollowedKind[]>();

  constructor({ owns, watches }: Controller, intake: KeyIntake) {
    this.#intake = intake;
    this.#owned = openDeclaration(owns);
    this.#watched = openDeclaration(watches, isOfAll);
  }

  /** Whether a kind is followed for want of a declaration of its own, so that it has to be met before it is read or applied. */
  isOpenTo(resource: Resource): boolean {
    return this.#owned.isOpenTo(resource) || this.#watched.isOpenTo(resource);
  }

  /** Resolves when the objects of the kind are there; false if the server lacks it, or does not let it be watched at all. */
  async meet(resource: Resource, signal: AbortSignal): Promise<boolean> {
    const id = kindId(resource);
    const followed = this.#met.get(id) ?? this.#follow(resource);
    this.#met.set(id, followed);
    try {
      await Promise.all(followed.map((each) => untilSynced(each, signal)));
      return followed.every(({ mirror }) => !mirror.isAbsent);
    } catch (error) {
      signal.throwIfAborted();
      // What one user names must not keep an operator from being ready, nor be asked for over and over.
      if (this.#met.get(id) === followed) this.#met.delete(id);
      for (const each of followed) each[Symbol.dispose]();
      if (isReason(error, "NotFound", "MethodNotAllowed")) return false;
      throw new Error(`${formatKind(resource)} cannot be watched: ${errorMessage(error)}`, { cause: error });
    }
  }

  #follow(resource: Resource): readonly FollowedKind[] {
    const { declared: child } = this.#owned;
    const { declared: watched } = this.#watched;
    const about = { resource, view: { type: "Whole", resource }, optional: true, isAdded: true } as const;
    return [
      ...(child !== undefined && this.#owned.isOpenTo(resource) ? [this.#intake.own({ ...child, ...about })] : []),
      ...(watched !== undefined && this.#watched.isOpenTo(resource) ? [this.#intake.watch({ ...watched, ...about })] : []),
    ];
  }
}

/** Whether all objects of the kind are mirrored, and all of each. */
function isOfAll({ view, labelSelector, fieldSelector, namespaces }: Watched): boolean {
  return view.type === "Whole" && labelSelector === undefined && fieldSelector === undefined && namespaces === undefined;
}

/** Rejects when the server refuses the kind before it was ever there. */
async function untilSynced({ mirror, synced }: FollowedKind, signal: AbortSignal): Promise<void> {
  const { informer } = mirror;
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const look = (state: InformerState): void => {
    if (state.type === "Failing" && !state.isSynced) reject(state.error);
  };
  using _listening = informer.onState(look);
  using _aborted = onAbort(signal, reject);
  look(informer.state);
  await Promise.race([synced, refused]);
}
