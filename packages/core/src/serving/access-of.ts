import { pathSegmentErrors } from "../object/names.ts";
import { parseFieldSelector } from "../selector/field-selector.ts";
import type { Access } from "./access.ts";
import type { RequestInfo } from "./request-info.ts";

/** What a request has to be authorized for. To list or watch the one object of a name is to ask for that object. */
export function accessOf(info: RequestInfo, query: URLSearchParams): Access {
  if (info.type === "Path" || info.name !== undefined || (info.verb !== "list" && info.verb !== "watch")) return info;
  const name = selectedName(query.get("fieldSelector") ?? "");
  return name === undefined ? info : { ...info, name };
}

function selectedName(fieldSelector: string): string | undefined {
  if (!fieldSelector.includes("metadata.name")) return undefined;
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    const name = requirements.find(({ field, operator }) => field === "metadata.name" && operator === "=")?.value;
    return name === undefined || name === "" || pathSegmentErrors(name).length > 0 ? undefined : name;
  } catch {
    return undefined;
  }
}
