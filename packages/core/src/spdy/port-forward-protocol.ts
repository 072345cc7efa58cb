/** The subprotocol of a WebSocket whose messages are pieces of a connection of SPDY, as kubectl forwards ports since 1.31. */
export const portForwardProtocol = "SPDY/3.1+portforward.k8s.io";
