import { fnv1a } from "@kaji/core";
import type { PodTemplateSpec } from "@kaji/types/core/v1";
import { safeHash } from "../safe-hash.ts";
import { dumpPodTemplate } from "./go-dump.ts";

/** The label by which the pods of one revision are told from those of others. */
export const hashLabel = "pod-template-hash";

/** What tells a template from others in names and labels, as Kubernetes computes it; the number of collisions so far makes another of it. */
export function podTemplateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const bytes = [...new TextEncoder().encode(dumpPodTemplate(template))];
  return safeHash(fnv1a(collisionCount === undefined ? bytes : [...bytes, ...littleEndian(collisionCount)]));
}

/** As Go hashes it: eight bytes, of which the upper four stay empty. */
function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
