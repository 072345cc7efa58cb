import type { ProxySubresource } from "@kaji/apiserver";
import { badRequest, notFound } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { objectField, objectsField, stringField } from "../json-fields.ts";
import type { NodeAccess } from "./node-access.ts";
import { parseSchemeNamePort } from "./scheme-name-port.ts";

const resource = { group: "", plural: "nodes" };
const kubeletPort = "10250";

/** `nodes/proxy`: what the kubelet of a node serves over HTTP. Nobody listens on any other port. */
export function nodeProxy(nodes: NodeAccess | undefined): ProxySubresource {
  return {
    type: "Proxy",
    kind: "NodeProxyOptions",
    locate: (id, _namespace, { objects, nowMs }) => {
      const asked = parseSchemeNamePort(id);
      if (asked === undefined) throw badRequest(`invalid node request ${quote(id)}`);
      const node = objects.get(resource, undefined, asked.name);
      if (node === undefined) throw notFound(resource, asked.name);
      const [address] = objectsField(objectField(node, "status"), "addresses");
      const port = asked.port === "" ? kubeletPort : asked.port;
      return {
        scheme: "http",
        host: `${stringField(address, "address")}:${port}`,
        connect: async () => {
          if (nodes === undefined || port !== kubeletPort) throw new Error(`nobody listens on port ${port} of node ${asked.name}`);
          return nodes.dialKubelet(node, nowMs);
        },
      };
    },
  };
}
