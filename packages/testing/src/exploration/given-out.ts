import { isJsonArray, isJsonObject } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import type { Service } from "@kaji/types/core/v1";
import { kindOfId, stableName } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";

/** What the server gives out in the order in which it is asked, and so not the same to the same in each run: the addresses and ports of Services, by whose they are. */
export type GivenOut = ReadonlyMap<string | number, string>;

/** What Services have been given. */
export function givenOut(objects: ReadonlyMap<ObjectId, DynamicObject>): GivenOut {
  const found = new Map<string | number, string>();
  for (const [id, object] of objects) {
    if (kindOfId(id) !== "Service") continue;
    // What is stored has been checked by the server.
    const { spec } = object as DynamicObject & Pick<Service, "spec">;
    const whose = stableName(id, object);
    for (const ip of spec?.clusterIPs ?? []) if (addressPattern.test(ip)) found.set(ip, `<address of ${whose}>`);
    for (const { nodePort, name } of spec?.ports ?? [])
      if (nodePort !== undefined) found.set(nodePort, `<node port ${name === undefined ? "" : `${name} `}of ${whose}>`);
    if (spec?.healthCheckNodePort !== undefined) found.set(spec.healthCheckNodePort, `<health check port of ${whose}>`);
  }
  return found;
}

/** The value with the owners of addresses and ports in their place: what belongs to nobody any more stays as it is. */
export function byWhose(value: JsonValue, given: GivenOut): JsonValue {
  if (typeof value === "number") return given.get(value) ?? value;
  if (typeof value === "string") return value.replaceAll(addressesPattern, (address) => given.get(address) ?? address);
  if (isJsonArray(value)) return value.map((item) => byWhose(item, given));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, byWhose(field ?? null, given)]));
}

const addressPattern = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const addressesPattern = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
