import type { Transport } from "@kaji/core";

/** The way of a process to the server, until the process is killed. */
export interface DyingTransport {
  readonly transport: Transport;
  /** Resolves when it is killed. */
  readonly died: Promise<void>;
  readonly isDead: () => boolean;
}

/** A way to the server for a process that is killed when one write more than so many is done: from then on nothing is answered. */
export function dyingAfter(writes: number, transport: Transport): DyingTransport {
  let left = writes;
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  return {
    died,
    isDead: () => left < 0,
    transport: async (request) => {
      if (left < 0) return never;
      const response = await transport(request);
      if (request.method === "GET" || left-- > 0) return response;
      die();
      return never;
    },
  };
}
