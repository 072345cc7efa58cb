import type { Kind, KindVersion } from "../kind.ts";
import type { CustomResourceDefinition } from "./definition/crd.ts";
import { createCustomKind } from "./custom-kind.ts";

/**
 * The kind of a definition, for a server that serves it as one of its own: `definedKind(Backup.crd())`. Its objects are stored, validated and
 * shown as those of a custom kind, without anybody having to create the definition.
 */
export function definedKind({ spec }: Pick<CustomResourceDefinition, "spec">): Kind {
  return createCustomKind({ spec }, { names: spec.names });
}

/** The kind of a definition whose objects are stored nowhere: they are computed for each request, and cannot be written. */
export function computedKind({ spec }: Pick<CustomResourceDefinition, "spec">, compute: NonNullable<KindVersion["compute"]>): Kind {
  return { ...createCustomKind({ spec }, { names: spec.names, compute }), verbs: ["get", "list"] };
}
