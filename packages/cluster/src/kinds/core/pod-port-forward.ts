import { webSocketResponse } from "@kaji/apiserver";
import type { ConnectSubresource } from "@kaji/apiserver";
import { portForwardProtocol } from "@kaji/core/spdy";
import { requireNode } from "./node-access.ts";
import type { NodeAccess } from "./node-access.ts";
import { servePorts } from "./serve-ports.ts";

/** `pods/portforward`: connections to the ports of a pod. */
export function podPortForward(nodes: NodeAccess | undefined): ConnectSubresource {
  return {
    type: "Connect",
    kind: "PodPortForwardOptions",
    options: [{ name: "ports", type: "integer", isList: true }],
    connect: (pod, _options, { request }) => {
      const dial = requireNode(pod, nodes).prepareDial(pod);
      return webSocketResponse(request, [portForwardProtocol], (socket) => servePorts(socket, dial));
    },
  };
}
