import type { TypedDefinition, TypedVersion } from "./definition-text.ts";
import { hasScaleOfOurs } from "./version-lines.ts";

/** What a definition says that ours cannot, and what comes of it: a test would not know otherwise. */
export function lossesOf({ spec: { names } }: TypedDefinition, { schema, subresources = {} }: TypedVersion): readonly string[] {
  const { kind } = names;
  const root = schema?.openAPIV3Schema ?? {};
  const isStatusPlain = root.properties?.["status"] !== undefined && subresources.status === undefined;
  return [
    ...(isStatusPlain
      ? [`${kind} has a status without the status subresource: its cluster knows no setStatus, a test knows no other way to write it`]
      : []),
    ...(root["x-kubernetes-preserve-unknown-fields"] === true
      ? [`${kind} keeps fields beside those that its schema names: they have no type, and a test drops them`]
      : []),
    ...(subresources.scale === undefined || hasScaleOfOurs(subresources.scale, root)
      ? []
      : [`${kind} has a scale whose replicas need not be a number from 0 to 2147483647: a test knows no scale of it`]),
  ];
}
