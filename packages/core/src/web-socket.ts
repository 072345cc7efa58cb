export { commandChannels, commandProtocols } from "./web-socket/command-channels.ts";
export { acceptanceOf, offeredProtocols } from "./web-socket/handshake.ts";
export { WebSocketSession } from "./web-socket/web-socket-session.ts";
export type { WebSocketOptions } from "./web-socket/web-socket-session.ts";
export { WebSocketError } from "./web-socket/web-socket-error.ts";
export type { WebSocketFault } from "./web-socket/web-socket-error.ts";
