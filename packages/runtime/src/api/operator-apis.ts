import { systemClock, systemRandom } from "@kaji/core";
import type { Random } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { apiHandler } from "./api-handler.ts";
import type { ApiHandlerOptions, ServedHandler } from "./api-handler.ts";
import { delegatedAccess } from "./delegated-access.ts";
import { FrontProxy } from "./front-proxy.ts";

/** The APIs of an operator, and how it knows who asks. */
export interface OperatorApis {
  readonly frontProxy: FrontProxy;
  /** Answers requests for them, and leaves all others to another handler. */
  readonly handler: (options: Pick<ApiHandlerOptions, "mirrors">, others: ServedHandler) => ServedHandler;
}

/** What serves APIs to the API server that passes requests on, and to nobody else. */
export function operatorApis(
  options: Omit<ApiHandlerOptions, "access" | "mirrors" | "reader"> & { readonly client: KubeClient; readonly random?: Random | undefined },
): OperatorApis {
  const { client, clock = systemClock, random = systemRandom, log } = options;
  const frontProxy = new FrontProxy({ client, clock, random, log });
  const access = { userOf: frontProxy.userOf.bind(frontProxy), may: delegatedAccess(client, clock) };
  return { frontProxy, handler: ({ mirrors }, others) => apiHandler({ ...options, reader: () => client, mirrors, access }, others) };
}
