import asyncHooks from "node:async_hooks";

// Node's test runner follows every promise, to know whose test has gone wrong when an error comes that nobody has caught. That is a sixth of the processor time of tests that run operators.
// Timers, sockets and whatever else calls back are still followed. An error of a promise that nobody waits for makes the batch fail, without a test to blame.

const { createHook } = asyncHooks;

Object.assign(asyncHooks, {
  createHook: (callbacks: asyncHooks.HookCallbacks) => createHook({ trackPromises: false, ...callbacks }),
});
