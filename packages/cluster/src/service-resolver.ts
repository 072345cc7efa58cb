import type { ServiceReference, Storage } from "@kaji/apiserver";
import { randomBelow } from "@kaji/core";
import type { DynamicObject, Random } from "@kaji/core";
import { StoredObjects } from "./admission/stored-objects.ts";
import { booleanField, field, numberField, objectField, objectsField, specOf, stringField, stringsField } from "./kinds/json-fields.ts";

const serviceName = "kubernetes.io/service-name";

/**
 * Finds where a service is reached: at any of its ready endpoints, since nothing here routes its cluster address. Throws what is
 * wrong with the service. `reach` says at which address an endpoint is really reached.
 */
export function serviceResolver(
  storage: Storage,
  random: Random,
  reach = (address: string): string => address,
): (service: ServiceReference) => URL {
  const objects = new StoredObjects(storage);
  return ({ namespace, name, port }) => {
    const service = objects.get(`/registry/services/specs/${namespace}/${name}`);
    if (service === undefined) throw new Error(`service "${name}" not found`);
    const spec = specOf(service);
    if (stringField(spec, "type") === "ExternalName") return new URL(`https://${stringField(spec, "externalName")}:${port}`);
    const servicePort = objectsField(spec, "ports").find((each) => numberField(each, "port") === port);
    if (servicePort === undefined) throw new Error(`no service port ${port} found for service "${name}"`);
    const own = objects.list(`/registry/endpointslices/${namespace}/`).filter(({ metadata }) => metadata.labels?.[serviceName] === name);
    const addresses = own.flatMap((slice) => readyAddresses(slice, stringField(servicePort, "name"), reach));
    const address = addresses.length > 1 ? addresses[randomBelow(random, addresses.length)] : addresses[0];
    if (address === undefined) throw new Error(`no endpoints available for service "${name}"`);
    return new URL(`https://${address}`);
  };
}

/** Each with the port that is known under a name; an endpoint that does not say whether it is ready is. */
function readyAddresses(slice: DynamicObject, portName: string, reach: (address: string) => string): readonly string[] {
  const port = objectsField(slice, "ports").find((each) => stringField(each, "name") === portName);
  const number = numberField(port, "port");
  if (number === undefined) return [];
  const isIpv6 = stringField(slice, "addressType") === "IPv6";
  return objectsField(slice, "endpoints")
    .filter(
      (endpoint) =>
        field(objectField(endpoint, "conditions"), "ready") === undefined || booleanField(objectField(endpoint, "conditions"), "ready"),
    )
    .flatMap((endpoint) => stringsField(endpoint, "addresses").map((address) => `${isIpv6 ? `[${address}]` : reach(address)}:${number}`));
}
