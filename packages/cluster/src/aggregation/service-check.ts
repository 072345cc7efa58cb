import type { ServiceCheck, ServiceProblem, ServiceReference, Storage } from "@kaji/apiserver";
import { isJsonObject, parseJsonBytes } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { booleanField, field, numberField, objectField, objectsField, stringField } from "../kinds/json-fields.ts";

/** Where services and their endpoints are kept. */
export const servicePrefixes: readonly string[] = ["/registry/services/specs/", "/registry/endpointslices/"];

const [services, slices] = servicePrefixes;
const serviceName = "kubernetes.io/service-name";

/** Says why a service cannot be reached, by what the objects of the cluster say of it. */
export function serviceCheck(storage: Storage): ServiceCheck {
  return (reference) => {
    const { namespace, name, port } = reference;
    const entry = storage.get(`${services}${namespace}/${name}`);
    if (entry === undefined) return { reason: "ServiceNotFound", message: `${written(reference)} is not present` };
    const spec = objectField(read(entry.bytes), "spec");
    if (stringField(spec, "type") !== "ClusterIP") return undefined;
    const servicePort = objectsField(spec, "ports").find((each) => numberField(each, "port") === port);
    if (servicePort === undefined) {
      return { reason: "ServicePortError", message: `${written(reference)} is not listening on port ${port}` };
    }
    const all = storage.list(`${slices}${namespace}/`).entries.map(({ bytes }) => read(bytes));
    const own = all.filter((slice) => stringField(objectField(objectField(slice, "metadata"), "labels"), serviceName) === name);
    return endpointProblem(reference, own, stringField(servicePort, "name"));
  };
}

function endpointProblem(reference: ServiceReference, own: readonly JsonObject[], portName: string): ServiceProblem | undefined {
  if (own.length === 0) return { reason: "EndpointsNotFound", message: `cannot find endpointslices for ${written(reference)}` };
  if (own.some((slice) => hasReady(slice) && hasPort(slice, portName))) return undefined;
  const message = `endpointslices for ${written(reference)} have no addresses with port name ${quote(portName)}`;
  return { reason: "MissingEndpoints", message };
}

/** An endpoint that does not say whether it is ready is. */
function hasReady(slice: JsonObject): boolean {
  const ready = objectsField(slice, "endpoints").map((endpoint) => objectField(endpoint, "conditions"));
  return ready.some((conditions) => field(conditions, "ready") === undefined || booleanField(conditions, "ready"));
}

function hasPort(slice: JsonObject, name: string): boolean {
  return objectsField(slice, "ports").some((port) => stringField(port, "name") === name && numberField(port, "port") !== undefined);
}

function written({ namespace, name }: ServiceReference): string {
  return `service/${name} in ${quote(namespace)}`;
}

function read(bytes: Uint8Array): JsonObject {
  const value = parseJsonBytes(bytes);
  return isJsonObject(value) ? value : {};
}
