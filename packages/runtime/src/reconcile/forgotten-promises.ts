import { AsyncLocalStorage } from "node:async_hooks";

/** Is told of a promise that was not awaited and was rejected. */
export interface Rememberer {
  forgotten(error: unknown): void;
}

const scope = new AsyncLocalStorage<Rememberer>();
let users = 0;

/**
 * Calls a function; a rejected promise that was made inside and not awaited is reported to the rememberer, and does not end the process. Rejections
 * outside of such calls still end it. Needs a `catchForgotten` in use.
 */
export function remembering<R>(rememberer: Rememberer, call: () => R): R {
  return scope.run(rememberer, call);
}

/** Listens for unhandled rejections until it is disposed of. */
export function catchForgotten(): Disposable {
  if (users++ === 0) process.on("unhandledRejection", onRejection);
  let isOver = false;
  return {
    [Symbol.dispose]: () => {
      if (!isOver && --users === 0) process.off("unhandledRejection", onRejection);
      isOver = true;
    },
  };
}

function onRejection(error: unknown): void {
  const rememberer = scope.getStore();
  if (rememberer !== undefined) return rememberer.forgotten(error);
  // Our listener turns off Node's default of ending the process. Throwing restores it, unless the program has a listener of its own.
  if (process.listenerCount("unhandledRejection") === 1) throw error;
}
