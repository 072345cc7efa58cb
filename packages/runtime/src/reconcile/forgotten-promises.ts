import { AsyncLocalStorage } from "node:async_hooks";

/** Is told of a promise that nobody waited for, and that was rejected. */
export interface Rememberer {
  forgotten(error: unknown): void;
}

const scope = new AsyncLocalStorage<Rememberer>();
let users = 0;

/**
 * Calls a function so that promises which are made inside, forgotten and rejected are reported to whoever it was called for, and do not end the process.
 * Promises of others end it as ever. Needs a `catchForgotten` in use.
 */
export function remembering<R>(rememberer: Rememberer, call: () => R): R {
  return scope.run(rememberer, call);
}

/** Looks for forgotten promises until it is disposed of. */
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
  // That we listen must not change what happens to the promises of others: what is thrown here ends the process, unless somebody else listens too.
  if (process.listenerCount("unhandledRejection") === 1) throw error;
}
