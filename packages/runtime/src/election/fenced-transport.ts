import type { Transport } from "@kaji/core";

/** A transport that asks a fence right before each write, and sends nothing when it throws; reads pass. */
export function fencedTransport(transport: Transport, fence: () => void): Transport {
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS") fence();
    return transport(request);
  };
}
