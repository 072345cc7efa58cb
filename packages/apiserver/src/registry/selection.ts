import { ParseError, badRequest, parseFieldSelector, parseSelector } from "@kaji/core";
import type { DynamicObject, FieldSelector } from "@kaji/core";
import type { KindVersion } from "../kind.ts";

/** Which objects a request means. */
export interface Selection {
  /** Undefined when every object is meant, so that none is looked at. */
  readonly matches: ((object: DynamicObject) => boolean) | undefined;
  /** Given when at most the object of this name can match. */
  readonly name: string | undefined;
}

const everything: Selection = { matches: undefined, name: undefined };

/** Compiles the selectors of a request; what cannot be understood, or is not selectable, is refused. */
export function selectionOf(
  version: KindVersion,
  { labelSelector, fieldSelector }: { readonly labelSelector: string; readonly fieldSelector: string },
): Selection {
  if (labelSelector === "" && fieldSelector === "") return everything;
  try {
    const labels = parseSelector(labelSelector);
    const fields = parseFieldSelector(fieldSelector);
    const lookup = fieldLookup(version, fields);
    const anyLabels = labels.requirements.length === 0;
    const anyFields = fields.requirements.length === 0;
    return {
      matches:
        anyLabels && anyFields
          ? undefined
          : (object) => labels.matches(object.metadata.labels) && fields.matches((field) => lookup(object, field)),
      name: fields.requirements.find(({ field, operator }) => field === "metadata.name" && operator === "=")?.value,
    };
  } catch (error) {
    if (error instanceof ParseError) throw badRequest(error.message);
    throw error;
  }
}

type Lookup = (object: DynamicObject, field: string) => string | undefined;

function fieldLookup({ selectableFields }: KindVersion, selector: FieldSelector): Lookup {
  const fields = new Map<string, (object: DynamicObject) => string>(Object.entries(selectableFields ?? {}));
  for (const { field } of selector.requirements) {
    if (field === "metadata.name" || field === "metadata.namespace" || fields.has(field)) continue;
    if (selectableFields !== undefined) throw badRequest(`field label not supported: ${field}`);
    throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
  return (object, field) => {
    if (field === "metadata.name") return object.metadata.name;
    if (field === "metadata.namespace") return object.metadata.namespace ?? "";
    return fields.get(field)?.(object);
  };
}
