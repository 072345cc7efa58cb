import type { Duplex } from "node:stream";
import type { ApiResponse } from "../response/api-response.ts";
import type { Wire } from "./wire.ts";
import { outgoing } from "./response-body.ts";

/** Joins a connection to another one: what comes from either goes to the other, until one of them is over or the server closes. */
export function openTunnel(wire: Wire, { status, headers }: ApiResponse, far: Duplex, signal: AbortSignal): void {
  const { output } = wire;
  far.on("error", () => {}); // It closes then, which is all that matters here.
  if (wire.takeConnection === undefined || signal.aborted) {
    far.destroy();
    output.destroy();
    return;
  }
  wire.sendHead(status, outgoing(headers));
  const near = wire.takeConnection();
  const end = (): void => {
    near.destroy();
    far.destroy();
  };
  near.once("close", end);
  far.once("close", end);
  signal.addEventListener("abort", end, { once: true });
  near.pipe(far).pipe(near);
}
