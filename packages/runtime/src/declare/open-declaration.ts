import type { Resource } from "@kaji/core";
import { isOfAnyKind } from "./any-kind.ts";
import { kindId } from "./kind-id.ts";

/** What is declared of `anyKind`, and for which kinds that holds: for those that are not declared by their names. */
export interface OpenDeclaration<D> {
  readonly declared: D | undefined;
  readonly isOpenTo: (resource: Resource) => boolean;
}

/** What some declarations say of `anyKind`. */
export function openDeclaration<D extends { readonly resource: Resource }>(declarations: readonly D[]): OpenDeclaration<D> {
  const declared = declarations.find(isOfAnyKind);
  const named = new Set(declarations.map(({ resource }) => kindId(resource)));
  return { declared, isOpenTo: (resource) => declared !== undefined && !named.has(kindId(resource)) };
}
