import { formatMicroTime, structuralEqual } from "@kaji/core";
import type { Lease, LeaseSpec } from "@kaji/types/coordination/v1";

/** The identity of the holder of a lease; empty when it has none. */
export function holderOf({ spec }: Lease): string {
  return spec?.holderIdentity ?? "";
}

/** How long a lease holds after it was last renewed, as its holder said. */
export function durationMsOf({ spec }: Lease): number {
  return (spec?.leaseDurationSeconds ?? 0) * 1000;
}

/** Whether the lease was neither renewed nor taken nor released in between. */
export function isSameRecord(left: Lease, right: Lease): boolean {
  return structuralEqual(left.spec, right.spec);
}

/** The lease as its holder-to-be wants it: a new term, unless it holds it already. */
export function claimed(
  lease: Lease | undefined,
  { identity, leaseDurationMs, nowMs }: { readonly identity: string; readonly leaseDurationMs: number; readonly nowMs: number },
): LeaseSpec {
  const now = formatMicroTime(nowMs);
  const { acquireTime = now, leaseTransitions = 0 } = lease?.spec ?? {};
  const isMine = lease !== undefined && holderOf(lease) === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
    acquireTime: isMine ? acquireTime : now,
    renewTime: now,
    leaseTransitions: isMine || lease === undefined ? leaseTransitions : leaseTransitions + 1,
  };
}

/** The lease after its release: any candidate may take it at once. */
export function released({ spec }: Lease, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs);
  // The shortest that a server accepts, for candidates that ignore the empty holder and wait for the lease to expire.
  return { ...spec, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}
