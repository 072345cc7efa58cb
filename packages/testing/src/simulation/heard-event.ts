import { isJsonObject, parseJson } from "@kaji/core";

/** What a line of a watch says. */
export interface HeardEvent {
  readonly type: string;
  readonly version: string;
  /** Which object it is about; the line is read for it as a whole. */
  readonly address: () => { readonly name: string; readonly namespace: string | undefined };
}

const typeField = /^\{"type":"([A-Z]+)"/;
/** The server writes the metadata of an object before its content, and no metadata has a field of this name but the version. */
const versionField = /"resourceVersion":"(\d+)"/;

/** What a line of a watch says; undefined where it is about no object. */
export function heardEvent(line: string): HeardEvent | undefined {
  const [type, version] = [typeField.exec(line)?.[1], versionField.exec(line)?.[1]];
  if (type === undefined || type === "ERROR" || version === undefined) return undefined;
  return { type, version, address: () => addressIn(line) };
}

function addressIn(line: string): ReturnType<HeardEvent["address"]> {
  const event = parseJson(line);
  const object = isJsonObject(event) ? event["object"] : undefined;
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  return { name: typeof name === "string" ? name : "", namespace: typeof namespace === "string" ? namespace : undefined };
}
