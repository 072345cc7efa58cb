import type { GroupVersionKind, JsonObject } from "@kaji/core";

/** The types that a server publishes without having been told of them by a kind: built-in kinds, metadata, Status. */
export interface DefinitionSource {
  /** The name under which a kind is defined; undefined when it is not. */
  nameOf(kind: GroupVersionKind): string | undefined;
  /** A definition in the form of OpenAPI v3, where it refers to others by name; undefined when there is none. */
  define(name: string): JsonObject | undefined;
}
