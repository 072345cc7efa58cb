import type { DefinitionSource } from "@kaji/apiserver";
import { definitionName, definitionOf, structTable } from "@kaji/types/tables";

/** The definitions of the built-in kinds and of what all kinds have in common. */
export const builtinDefinitions: DefinitionSource = {
  nameOf(kind) {
    const struct = structTable.structOf(kind);
    return struct === undefined ? undefined : definitionName(struct);
  },
  define: definitionOf,
};
