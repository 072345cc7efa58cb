import type * as Http from "node:http";
import type * as Https from "node:https";

/**
 * Node's own modules for servers, when they are first used. To import `node:http` would read all that it exports, and with that load Node's fetch and
 * web sockets: a fifth of the start of an operator.
 */
export const nodeModules: { readonly http: () => typeof Http; readonly https: () => typeof Https } = {
  http: () => process.getBuiltinModule("node:http"),
  https: () => process.getBuiltinModule("node:https"),
};
