import { isJsonObject, parseJson } from "@kaji/core";

/** What a line of a watch says. */
export interface HeardEvent {
  readonly type: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly version: string;
}

/** What a line of a watch says; undefined where it is about no object. */
export function heardEvent(line: string): HeardEvent | undefined {
  const event = parseJson(line);
  const object = isJsonObject(event) ? event["object"] : undefined;
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  if (!isJsonObject(event) || !isJsonObject(metadata)) return undefined;
  const { type } = event;
  const { name = "", namespace, resourceVersion: version } = metadata;
  if (typeof type !== "string" || type === "ERROR" || typeof name !== "string" || typeof version !== "string") return undefined;
  return { type, name, namespace: typeof namespace === "string" ? namespace : undefined, version };
}
