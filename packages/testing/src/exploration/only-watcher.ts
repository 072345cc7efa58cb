const event = "unhandledRejection";

/**
 * Leaves the runtime alone to watch for promises that a reconcile forgot, until it is disposed of. Test runners watch for them too, and would fail the test
 * for what the exploration is there to find and to explain. Promises of others that are rejected still end the process.
 */
export function onlyWatcher(): Disposable {
  const others = process.listeners(event).filter(({ name }) => name !== runtimeListener);
  for (const listener of others) process.off(event, listener);
  return {
    [Symbol.dispose]: () => {
      for (const listener of others) process.on(event, listener);
    },
  };
}

/** The name of the listener of `catchForgotten` in the runtime. */
const runtimeListener = "onRejection";
