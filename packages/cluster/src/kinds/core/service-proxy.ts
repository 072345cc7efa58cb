import type { ProxySubresource, StrategyContext } from "@kaji/apiserver";
import { badRequest, notFound, randomBelow, refusal } from "@kaji/core";
import type { DynamicObject, JsonObject, Random } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { numberField, objectField, objectsField, stringField } from "../json-fields.ts";
import type { NodeAccess } from "./node-access.ts";
import { podTarget } from "./proxy-target.ts";
import { parseSchemeNamePort } from "./scheme-name-port.ts";

const services = { group: "", plural: "services" };

/** `services/proxy`: what one of the pods behind a service serves over HTTP, any of those that are ready. */
export function serviceProxy(nodes: NodeAccess | undefined): ProxySubresource {
  return {
    type: "Proxy",
    kind: "ServiceProxyOptions",
    locate: (id, namespace, { objects, random }) => {
      const asked = parseSchemeNamePort(id);
      if (asked === undefined) throw badRequest(`invalid service request ${quote(id)}`);
      const { scheme, name } = asked;
      const portName = /^\d+$/.test(asked.port) ? portNameOf(objects.get(services, namespace, name), name, Number(asked.port)) : asked.port;
      const endpoints = objects.get({ group: "", plural: "endpoints" }, namespace, name);
      if (endpoints === undefined) throw notFound(services, name);
      const subsets = objectsField(endpoints, "subsets");
      if (subsets.length === 0) throw refusal("ServiceUnavailable", `no endpoints available for service ${quote(name)}`);
      for (const subset of fromAnywhere(subsets, random)) {
        const port = objectsField(subset, "ports").find((each) => stringField(each, "name") === portName);
        for (const endpoint of port === undefined ? [] : fromAnywhere(objectsField(subset, "addresses"), random)) {
          const pod = podBehind(endpoint, namespace, objects);
          if (pod !== undefined)
            return podTarget(nodes, pod, { scheme, address: stringField(endpoint, "ip"), port: numberField(port, "port") });
        }
      }
      throw refusal("ServiceUnavailable", `no endpoints available for service ${quote(id)}`);
    },
  };
}

/** Under which name a service has a port, by its number. */
function portNameOf(service: DynamicObject | undefined, name: string, number: number): string {
  if (service === undefined) throw notFound(services, name);
  const port = objectsField(objectField(service, "spec"), "ports").find((each) => numberField(each, "port") === number);
  if (port === undefined) throw refusal("ServiceUnavailable", `no service port ${number} found for service ${quote(name)}`);
  return stringField(port, "name");
}

/** All of them, from one on that chance decides. */
function fromAnywhere<T>(items: readonly T[], random: Random): readonly T[] {
  const start = items.length === 0 ? 0 : randomBelow(random, items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** The pod that an endpoint names, if it is of the same namespace and still has that address: nothing else is passed on to. */
function podBehind(endpoint: JsonObject, namespace: string | undefined, objects: StrategyContext["objects"]): DynamicObject | undefined {
  const reference = objectField(endpoint, "targetRef");
  if (stringField(reference, "namespace") !== namespace) return undefined;
  const pod = objects.get({ group: "", plural: "pods" }, namespace, stringField(reference, "name"));
  const addresses = objectsField(objectField(pod, "status"), "podIPs").map((each) => stringField(each, "ip"));
  return addresses.includes(stringField(endpoint, "ip")) ? pod : undefined;
}
