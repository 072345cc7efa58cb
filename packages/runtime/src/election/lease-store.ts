import type { KubeClient } from "@kaji/client";
import { unlessGone } from "@kaji/core";
import type { NamespacedName } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import type { LeaseSpec } from "@kaji/types/coordination/v1";

/** The one lease that an election is about. What an API server refuses is an `ApiError`; any other error leaves open what has happened. */
export interface LeaseStore {
  /** Undefined when there is none. */
  get(signal: AbortSignal): Promise<Lease | undefined>;
  create(spec: LeaseSpec, signal: AbortSignal): Promise<Lease>;
  /** Refused with a Conflict unless the lease is still the one that was read. */
  update(lease: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<Lease>;
  /** The lease as it is, then each time it changes; undefined when it is deleted. Ends when the server ends it. */
  watch(signal: AbortSignal): AsyncIterable<Lease | undefined>;
}

/** The lease of that name in an API server. */
export function leaseStore(client: KubeClient, { namespace = "default", name }: NamespacedName): LeaseStore {
  return {
    get: (signal) => unlessGone(client.get(Lease, { namespace, name }, { signal })),
    create: (spec, signal) => client.create(Lease, { metadata: { namespace, name }, spec }, { signal }),
    update: (lease, spec, signal) => client.update(Lease, { ...lease, spec }, { signal }),
    async *watch(signal) {
      for await (const event of client.watch(Lease, { namespace, fieldSelector: `metadata.name=${name}`, signal })) {
        if (event.type === "ADDED" || event.type === "MODIFIED") yield event.object;
        else if (event.type === "DELETED") yield undefined;
      }
    },
  };
}
