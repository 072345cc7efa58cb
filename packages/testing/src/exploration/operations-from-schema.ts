import { isDefinition, jsonOf } from "@kaji/core";
import type { Controller } from "@kaji/runtime";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import { schemaChanges } from "./schema-changes.ts";
import type { FieldChange, SchemaChanges } from "./schema-changes.ts";

/** So many changes are enough to see the fields of most kinds change, and few enough to try every fault in them. */
const mostChanges = 12;
/** So many fields are named in a line. */
const mostNames = 12;

/** What users do, and what they might do as well, in words. */
export interface DerivedOperations {
  readonly operations: readonly Operation[];
  readonly leftOut: readonly string[];
}

/**
 * What users may do with the objects of the first controller, derived from the schema of its kind: they create one, change each field of it, take
 * it back, delete the object and create it again. What the server refuses is to be left out.
 */
export function operationsFromSchema([controller, ...others]: readonly Controller[]): DerivedOperations {
  const kind = controller?.resource;
  if (kind === undefined || !isDefinition(kind)) {
    const why = kind === undefined ? "there is no controller" : `${kind.kind} is no kind that was made by defineResource`;
    throw new TypeError(`explore: say in ops what users do, it cannot be derived from a schema: ${why}`);
  }
  const sample = kind.sample();
  const namespace = kind.scope === "Namespaced" ? { namespace: "default" } : {};
  const object = { ...sample, metadata: { name: sample.metadata.name, ...namespace } };
  const address = kind.scope === "Namespaced" ? `default/${sample.metadata.name}` : sample.metadata.name;
  const changes = schemaChanges(kind, jsonOf(object));
  const chosen = new Set(changes.byWeight.slice(0, mostChanges));
  const elsewhere = new Set(others.map(({ resource }) => resource.kind).filter((name) => name !== kind.kind));
  return {
    operations: [
      user.create(kind, object),
      // The schema of the kind says that they are patches of its objects.
      ...changes.inOrder.filter((change) => chosen.has(change)).map(({ patch }) => user.mergePatch(kind, address, patch as never)),
      user.delete(kind, address),
      user.create(kind, object),
    ],
    leftOut: [
      ...leftOut(changes, chosen),
      ...[...elsewhere].map(
        (name) => `what users do with a ${name}: from a schema it is derived for a ${kind.kind} alone, so give \`ops\``,
      ),
    ],
  };
}

/** The changes of fields that are not made, and why. */
function leftOut({ inOrder, unchanged }: SchemaChanges, chosen: ReadonlySet<FieldChange>): readonly string[] {
  const changed = new Set([...chosen].map(({ field }) => field));
  const fields = new Set(inOrder.filter((change) => !chosen.has(change)).map(({ field }) => field));
  const [further, never] = [[...fields].filter((field) => changed.has(field)), [...fields].filter((field) => !changed.has(field))];
  const why = `no more than ${mostChanges} changes are derived from a schema, so give \`ops\``;
  return [
    ...unchanged.map(({ field, why: reason }) => `changes of ${field}: ${reason}`),
    ...(never.length === 0 ? [] : [`changes of ${listed(never)}: ${why}`]),
    ...(further.length === 0 ? [] : [`further changes of ${listed(further)}: ${why}`]),
  ];
}

function listed(names: readonly string[]): string {
  return [...names.slice(0, mostNames), ...(names.length > mostNames ? [`${names.length - mostNames} more fields`] : [])].join(", ");
}
