import { applyJsonPatch, createJsonPatch, isJsonObject } from "@kaji/core";
import type { JsonValue, Resource } from "@kaji/core";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import type { Conversion } from "../conversion/convert.ts";
import { admissionName, admissionPath } from "./webhook-path.ts";
import type { Webhook } from "./webhook.ts";

/**
 * The endpoints of a webhook for the other versions of its kind. No configuration of this operator names them, but that of its predecessor may:
 * while one replaces the other, an API server goes by the former configuration, and asks the replicas of both.
 */
export function convertedEndpoints({ resource, endpoints }: Webhook, conversions: readonly Conversion[]): readonly AdmissionEndpoint[] {
  const conversion = conversions.find((each) => each.resource.group === resource.group && each.resource.kind === resource.kind);
  if (conversion === undefined) return [];
  const others = Object.keys(conversion.resource.versions).filter((version) => version !== resource.version);
  return others.flatMap((version) => endpoints.map((endpoint) => convertedEndpoint(endpoint, resource, conversion, version)));
}

/** Asks an endpoint about the same object in its own version, and makes in the other what it changes. */
function convertedEndpoint(endpoint: AdmissionEndpoint, resource: Resource, conversion: Conversion, version: string): AdmissionEndpoint {
  const { group, version: own, kind } = resource;
  const other = { group, version, kind };
  const step = endpoint.type === "Mutating" ? "mutate" : "validate";
  const inOwn = (value: JsonValue): JsonValue => (isJsonObject(value) ? conversion.convert(value, own) : value);
  return {
    ...endpoint,
    name: admissionName(step, other),
    path: admissionPath(step, other),
    async decide(request, write) {
      // What is of another kind is refused by the endpoint itself, which says what it is for.
      if (request.kind.group !== group || request.kind.version !== version || request.kind.kind !== kind)
        return endpoint.decide(request, write);
      const { object, oldObject } = request;
      const converted: AdmissionRequest = {
        ...request,
        kind: { group, version: own, kind },
        ...(object === undefined ? {} : { object: inOwn(object) }),
        ...(oldObject === undefined ? {} : { oldObject: inOwn(oldObject) }),
      };
      const changes = await endpoint.decide(converted, write);
      const { object: before } = converted;
      if (changes.length === 0 || !isJsonObject(before) || !isJsonObject(object)) return [];
      const after = applyJsonPatch(before, changes);
      if (!isJsonObject(after)) throw new TypeError("default must leave an object");
      // Compared with the object as it comes back, not as it was sent: what has no place in the own version stays as the user wrote it.
      // Metadata has its place in all of them, but for what is kept there, which may not have been sent.
      return createJsonPatch({ ...conversion.convert(before, version), metadata: object["metadata"] }, conversion.convert(after, version));
    },
  };
}
