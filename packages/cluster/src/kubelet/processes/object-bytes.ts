import type { ConfigMap, Secret } from "@kaji/types/core/v1";

/** What a ConfigMap holds, by its keys; nothing if there is none. */
export function configMapBytes({ data = {}, binaryData = {} }: Partial<ConfigMap> = {}): ReadonlyMap<string, Uint8Array> {
  return new Map([...Object.entries(data).map(([key, text]) => [key, Buffer.from(text)] as const), ...decoded(binaryData)]);
}

/** What a Secret holds, by its keys; nothing if there is none. */
export function secretBytes({ data = {} }: Partial<Secret> = {}): ReadonlyMap<string, Uint8Array> {
  return new Map(decoded(data));
}

function decoded(data: Readonly<Record<string, string>>): readonly (readonly [string, Uint8Array])[] {
  return Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64")]);
}
