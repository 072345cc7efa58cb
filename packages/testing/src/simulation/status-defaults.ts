import type { DynamicObject } from "@kaji/core";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { kindName } from "./object-id.ts";

/** What new objects of custom kinds say of themselves before anybody has looked at them: a server keeps them without a status, and fills in its default whenever they are read. */
export class StatusDefaults {
  readonly #byKind = new Map<string, unknown>();

  /** Takes over what a definition says. */
  learn({ spec: { group, names, versions } }: CustomResourceDefinition): void {
    const stored = versions.find(({ storage }) => storage);
    const status = stored?.subresources?.status === undefined ? undefined : stored.schema?.openAPIV3Schema?.properties?.["status"]?.default;
    const kind = kindName(group, names.kind);
    if (status === undefined) this.#byKind.delete(kind);
    else this.#byKind.set(kind, status);
  }

  /** An object as readers see it. */
  complete(object: DynamicObject, kind: string): DynamicObject {
    if (this.#byKind.size === 0 || object["status"] !== undefined) return object;
    const status = this.#byKind.get(kind);
    return status === undefined ? object : { ...object, status };
  }
}
