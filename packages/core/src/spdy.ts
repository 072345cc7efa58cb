export { HeaderBlocks } from "./spdy/header-blocks.ts";
export type { StreamHeaders } from "./spdy/header-blocks.ts";
export { portForwardProtocol } from "./spdy/port-forward-protocol.ts";
export { SpdyFrameReader, encodeSpdyFrame } from "./spdy/spdy-frames.ts";
export type { SpdyFrame } from "./spdy/spdy-frames.ts";
export { SpdySession } from "./spdy/spdy-session.ts";
export type { StreamEvent } from "./spdy/spdy-session.ts";
