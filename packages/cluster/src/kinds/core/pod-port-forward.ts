import { spdyResponse, wantsSpdy, wantsWebSocket, webSocketResponse } from "@kaji/apiserver";
import type { ConnectSubresource } from "@kaji/apiserver";
import { badRequest } from "@kaji/core";
import { SpdySession, portForwardProtocol } from "@kaji/core/spdy";
import { offeredProtocols } from "@kaji/core/web-socket";
import { listField } from "../json-fields.ts";
import { requireNode } from "./node-access.ts";
import type { NodeAccess } from "./node-access.ts";
import { SocketChannels } from "./socket-channels.ts";
import { portChannelsProtocols, servePortChannels } from "./port-forward/serve-port-channels.ts";
import { servePortStreams } from "./port-forward/serve-port-streams.ts";

/** What kubectl before 1.31 and programs in Go speak, in SPDY without a WebSocket around it. */
const portStreamsProtocol = "portforward.k8s.io";

/** `pods/portforward`: connections to the ports of a pod. */
export function podPortForward(nodes: NodeAccess | undefined): ConnectSubresource {
  return {
    type: "Connect",
    kind: "PodPortForwardOptions",
    options: [{ name: "ports", type: "integer", isList: true }],
    connect: (pod, options, { request }) => {
      const dial = requireNode(pod, nodes).prepareDial(pod);
      const ports = listField(options, "ports").map(Number);
      if (ports.length === 0 && mustNamePorts(request.headers)) throw badRequest('query parameter "port" is required');
      if (wantsSpdy(request.headers)) return spdyResponse(request, [portStreamsProtocol], (session) => servePortStreams(session, dial));
      return webSocketResponse(request, [portForwardProtocol, ...portChannelsProtocols], async (socket, protocol) => {
        if (protocol !== portForwardProtocol) return servePortChannels(new SocketChannels(socket, protocol), ports, dial);
        using session = new SpdySession(socket.messages(), (bytes) => socket.send(bytes));
        await servePortStreams(session, dial);
      });
    },
  };
}

/** Whether a client of a WebSocket cannot say later which ports it wants. */
function mustNamePorts(headers: Readonly<Record<string, string>>): boolean {
  return wantsWebSocket(headers) && !offeredProtocols(headers["sec-websocket-protocol"]).includes(portForwardProtocol);
}
