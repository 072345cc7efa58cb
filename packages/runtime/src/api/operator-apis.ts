import { systemClock, systemRandom } from "@kaji/core";
import { apiHandler } from "./api-handler.ts";
import { delegatedAccess } from "./delegated-access.ts";
import { FrontProxy } from "./front-proxy.ts";
import type { ServeApis } from "./served-api.ts";

/** What serves APIs to the API server that passes requests on, and to nobody else. */
export const operatorApis: ServeApis = (options) => {
  const { client, clock = systemClock, random = systemRandom, log } = options;
  const frontProxy = new FrontProxy({ client, clock, random, log });
  const access = { userOf: frontProxy.userOf.bind(frontProxy), may: delegatedAccess(client, clock) };
  return { frontProxy, handler: ({ mirrors }, others) => apiHandler({ ...options, reader: () => client, mirrors, access }, others) };
};
