import { formatKind } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { Verb } from "./declarations.ts";
import { verbCheck } from "./declared-verbs.ts";
import type { Controller } from "./define-controller.ts";
import { missingDeclaration } from "./missing-declaration.ts";

/** A controller did what it has not declared, so that it has no permission for it either. */
export class UndeclaredError extends Error {
  override readonly name = "UndeclaredError";

  constructor(controller: Controller, verb: string, resource: Resource) {
    const missing = missingDeclaration(controller, verb, resource);
    super(`controller ${controller.name} does not declare ${verb} of ${formatKind(resource)}: ${missing}`);
  }
}

/** Throws an `UndeclaredError` at what a controller has not declared. */
export function declaredOnly(controller: Controller): (verb: Verb, resource: Resource) => void {
  const isDeclared = verbCheck(controller);
  return (verb, resource) => {
    if (!isDeclared(verb, resource)) throw new UndeclaredError(controller, verb, resource);
  };
}
