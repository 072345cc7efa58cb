import { formatKind } from "@kaji/core";
import type { Resource } from "@kaji/core";

/** A controller did what it has not declared, so that it has no permission for it either. */
export class UndeclaredError extends Error {
  override readonly name = "UndeclaredError";

  constructor(controller: string, verb: string, resource: Resource) {
    super(`controller ${controller} does not declare ${verb} of ${formatKind(resource)}: add it to owns, watches or uses`);
  }
}
