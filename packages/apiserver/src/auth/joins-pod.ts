import type { RequestInfo, ResourceRequest } from "@kaji/core/serving";

/** Whether a GET joins the client to what runs in a pod, such as with a WebSocket. That does more than to read, so that whoever may only read may not do it. */
export function joinsPod(info: RequestInfo): info is ResourceRequest {
  return info.type === "Resource" && info.resource === "pods" && info.verb === "get" && podConnections.has(info.subresource ?? "");
}

const podConnections: ReadonlySet<string> = new Set(["attach", "exec", "portforward"]);
