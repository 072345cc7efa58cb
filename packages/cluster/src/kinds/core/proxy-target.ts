import { isIPv6 } from "node:net";
import type { ProxyTarget } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import type { NodeAccess } from "./node-access.ts";
import type { SchemeNamePort } from "./scheme-name-port.ts";

/** What listens on a port of a pod, which has this address. Without one it is that of the scheme. */
export function podTarget(
  nodes: NodeAccess | undefined,
  pod: DynamicObject,
  { scheme, address, port }: Pick<SchemeNamePort, "scheme"> & { readonly address: string; readonly port: number | undefined },
): ProxyTarget {
  const host = isIPv6(address) ? `[${address}]` : address;
  return {
    scheme,
    host: port === undefined ? host : `${host}:${port}`,
    connect: async () => {
      if (nodes === undefined) throw new Error(`pod ${pod.metadata.name} runs on no node`);
      return nodes.dial(pod, port ?? (scheme === "https" ? 443 : 80));
    },
  };
}
