/** Why a WebSocket cannot go on. */
export type WebSocketFault = "ProtocolError" | "TooLarge";

/** The other side of a WebSocket does what it must not. */
export class WebSocketError extends Error {
  override readonly name = "WebSocketError";
  readonly fault: WebSocketFault;

  constructor(fault: WebSocketFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
