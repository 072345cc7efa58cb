import { parseFieldSelector, pathSegmentErrors } from "@kaji/core";
import type { Access, RequestInfo, ResourceRequest } from "@kaji/core/serving";

/** What a request has to be authorized for. To list or watch the one object of a name is to ask for that object. */
export function accessOf(info: RequestInfo, query: URLSearchParams): Access {
  if (info.type === "Path" || info.name !== undefined || (info.verb !== "list" && info.verb !== "watch")) return info;
  const name = selectedName(query.get("fieldSelector") ?? "");
  return name === undefined ? info : { ...info, name };
}

/** Whether a GET joins the client to what runs in a pod, such as with a WebSocket. That does more than to read, so that whoever may only read may not do it. */
export function joinsPod(info: RequestInfo): info is ResourceRequest {
  return info.type === "Resource" && info.resource === "pods" && info.verb === "get" && podConnections.has(info.subresource ?? "");
}

const podConnections: ReadonlySet<string> = new Set(["attach", "exec", "portforward"]);

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
