import type { ServiceCheck, ServiceProblem, ServiceReference, Storage } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { StoredObjects } from "../admission/stored-objects.ts";
import { booleanField, field, numberField, objectField, objectsField, specOf, stringField } from "../kinds/json-fields.ts";

/** Where services and their endpoints are kept. */
export const servicePrefixes: readonly string[] = ["/registry/services/specs/", "/registry/endpointslices/"];

const [services, slices] = servicePrefixes;
const serviceName = "kubernetes.io/service-name";

/** Says why a service cannot be reached, by what the objects of the cluster say of it. */
export function serviceCheck(storage: Storage): ServiceCheck {
  const objects = new StoredObjects(storage);
  return (reference) => {
    const { namespace, name, port } = reference;
    const service = objects.get(`${services}${namespace}/${name}`);
    if (service === undefined) return { reason: "ServiceNotFound", message: `${written(reference)} is not present` };
    const spec = specOf(service);
    if (stringField(spec, "type") !== "ClusterIP") return undefined;
    const servicePort = objectsField(spec, "ports").find((each) => numberField(each, "port") === port);
    if (servicePort === undefined) {
      return { reason: "ServicePortError", message: `${written(reference)} is not listening on port ${port}` };
    }
    const own = objects.list(`${slices}${namespace}/`).filter(({ metadata }) => metadata.labels?.[serviceName] === name);
    return endpointProblem(reference, own, stringField(servicePort, "name"));
  };
}

function endpointProblem(reference: ServiceReference, own: readonly DynamicObject[], portName: string): ServiceProblem | undefined {
  if (own.length === 0) return { reason: "EndpointsNotFound", message: `cannot find endpointslices for ${written(reference)}` };
  if (own.some((slice) => hasReady(slice) && hasPort(slice, portName))) return undefined;
  const message = `endpointslices for ${written(reference)} have no addresses with port name ${quote(portName)}`;
  return { reason: "MissingEndpoints", message };
}

/** An endpoint that does not say whether it is ready is. */
function hasReady(slice: DynamicObject): boolean {
  const ready = objectsField(slice, "endpoints").map((endpoint) => objectField(endpoint, "conditions"));
  return ready.some((conditions) => field(conditions, "ready") === undefined || booleanField(conditions, "ready"));
}

function hasPort(slice: DynamicObject, name: string): boolean {
  return objectsField(slice, "ports").some((port) => stringField(port, "name") === name && numberField(port, "port") !== undefined);
}

function written({ namespace, name }: ServiceReference): string {
  return `service/${name} in ${quote(namespace)}`;
}
