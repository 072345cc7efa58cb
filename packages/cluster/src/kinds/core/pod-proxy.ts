import type { ProxySubresource } from "@kaji/apiserver";
import { FieldPath, badRequest, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { endpointIpErrors } from "../ip-address.ts";
import { numberField, objectField, objectsField, stringField } from "../json-fields.ts";
import type { NodeAccess } from "./node-access.ts";
import { podTarget } from "./proxy-target.ts";
import { parseSchemeNamePort } from "./scheme-name-port.ts";

const pods = { group: "", plural: "pods" };

/** `pods/proxy`: what a pod serves over HTTP, on the first port it has if none is named. */
export function podProxy(nodes: NodeAccess | undefined): ProxySubresource {
  return {
    type: "Proxy",
    kind: "PodProxyOptions",
    locate: (id, namespace, { objects }) => {
      const asked = parseSchemeNamePort(id);
      if (asked === undefined || !/^\d*$/.test(asked.port)) throw badRequest(`invalid pod request ${quote(id)}`);
      const pod = objects.get(pods, namespace, asked.name);
      if (pod === undefined) throw notFound(pods, asked.name);
      const address = stringField(objectsField(objectField(pod, "status"), "podIPs")[0], "ip");
      if (endpointIpErrors(address, FieldPath.root).length > 0) throw badRequest("address not allowed");
      return podTarget(nodes, pod, { scheme: asked.scheme, address, port: asked.port === "" ? firstPort(pod) : Number(asked.port) });
    },
  };
}

function firstPort(pod: DynamicObject): number | undefined {
  const ports = objectsField(objectField(pod, "spec"), "containers").flatMap((container) => objectsField(container, "ports"));
  return numberField(ports[0], "containerPort");
}
