import { pathSegmentErrors } from "../object/names.ts";
import { parseFieldSelector } from "../selector/field-selector.ts";
import type { FieldRequirement } from "../selector/field-selector.ts";
import type { LabelOperator, LabelRequirement } from "../selector/label-requirement.ts";
import { parseSelector } from "../selector/label-selector.ts";
import type { Access, SelectorRequirement } from "./access.ts";
import type { RequestInfo } from "./request-info.ts";

/** The verbs of which selectors say how much is asked for. */
const selecting: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

/** What a request has to be authorized for. To list or watch the one object of a name is to ask for that object. */
export function accessOf(info: RequestInfo, query: URLSearchParams): Access {
  if (info.type === "Path" || !selecting.has(info.verb)) return info;
  const [fields, labels] = [query.get("fieldSelector") ?? "", query.get("labelSelector") ?? ""];
  if (fields === "" && labels === "") return info;
  const requirements = requirementsOf(parseFieldSelector, fields);
  const name = info.name ?? (info.verb === "deletecollection" ? undefined : selectedName(requirements));
  const fieldSelector = requirements.map(ofField);
  const labelSelector = requirementsOf(parseSelector, labels).flatMap(ofLabel);
  return {
    ...info,
    name,
    ...(fieldSelector.length === 0 ? {} : { fieldSelector }),
    ...(labelSelector.length === 0 ? {} : { labelSelector }),
  };
}

/** None of a selector that cannot be read: then all is asked for, until the request is refused. */
function requirementsOf<T>(parse: (text: string) => { readonly requirements: readonly T[] }, text: string): readonly T[] {
  try {
    return parse(text).requirements;
  } catch {
    return [];
  }
}

function selectedName(requirements: readonly FieldRequirement[]): string | undefined {
  const name = requirements.find(({ field, operator }) => field === "metadata.name" && operator === "=")?.value;
  return name === undefined || name === "" || pathSegmentErrors(name).length > 0 ? undefined : name;
}

function ofField({ field, operator, value }: FieldRequirement): SelectorRequirement {
  return { key: field, operator: operator === "=" ? "In" : "NotIn", values: [value] };
}

/** What a review has no words for is left out, which asks for more. */
const reviewed: Readonly<Partial<Record<LabelOperator, SelectorRequirement["operator"]>>> = {
  ...{ "=": "In", "==": "In", in: "In" },
  ...{ "!=": "NotIn", notin: "NotIn" },
  ...{ exists: "Exists", "!": "DoesNotExist" },
};

function ofLabel({ key, operator: said, values }: LabelRequirement): readonly SelectorRequirement[] {
  const operator = reviewed[said];
  if (operator === undefined) return [];
  return [{ key, operator, ...(values.length === 0 ? {} : { values: [...new Set(values)].toSorted() }) }];
}
