import { ApiError, refusal } from "@kaji/core";
import type { Kind } from "../kind.ts";

/** What an etcd takes at once, unless it is told otherwise. */
const largestBytes = 1.5 * 1024 * 1024;

/** An object is larger than a real server could store it. */
export class ObjectTooLarge extends ApiError {
  constructor() {
    super(refusal("", "etcdserver: request is too large").status);
  }
}

/**
 * Refuses what is too large for the etcd behind a real server, so that nobody finds that out there. Only objects of custom kinds are known to be
 * of the same size there: others are kept as protobuf.
 */
export function refuseTooLarge({ isCustom }: Kind, bytes: Uint8Array): void {
  if (isCustom && bytes.byteLength > largestBytes) throw new ObjectTooLarge();
}
