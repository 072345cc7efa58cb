import type { Resource } from "@kaji/core";
import { isOfAnyKind } from "./any-kind.ts";
import { kindId } from "./kind-id.ts";

/** What is declared of `anyKind`, and for which kinds that holds: for those that are not declared by their names, or of which others are. */
export interface OpenDeclaration<D> {
  readonly declared: D | undefined;
  readonly isOpenTo: (resource: Resource) => boolean;
}

/** What some declarations say of `anyKind`. `isOfAll`: whether one by the name of a kind is of all of its objects, so that nothing is left to say. Default: each is. */
export function openDeclaration<D extends { readonly resource: Resource }>(
  declarations: readonly D[],
  isOfAll: (declaration: D) => boolean = () => true,
): OpenDeclaration<D> {
  const declared = declarations.find(isOfAnyKind);
  const named = new Set(declarations.filter(isOfAll).map(({ resource }) => kindId(resource)));
  return { declared, isOpenTo: (resource) => declared !== undefined && !named.has(kindId(resource)) };
}
