import { errorMessage, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { decodeManagers } from "../apply/managed-fields.ts";
import { withMetadata, withoutMetadata } from "./object-meta.ts";

/** An object as admission left it, but with the owners it had before if those it came back with make no sense; its client is then warned. */
export function withSoundManagers(admitted: DynamicObject, asked: DynamicObject, warn: (message: string) => void): DynamicObject {
  const { managedFields } = asked.metadata;
  if (structuralEqual(admitted.metadata.managedFields, managedFields)) return admitted;
  try {
    decodeManagers(admitted.metadata.managedFields);
    return admitted;
  } catch (error) {
    const why = errorMessage(error);
    warn(
      ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; " +
        `please fix your requests: ${why}`,
    );
    return managedFields === undefined ? withoutMetadata(admitted, "managedFields") : withMetadata(admitted, { managedFields });
  }
}
