import {
  LocalApiServices,
  ServiceAccountTokens,
  byCertificate,
  byStaticToken,
  createMemoryStorage,
  issuerPaths,
  listen,
} from "@kaji/apiserver";
import type { ApiServer, Certificate, UserInfo } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { writeAuthenticationConfig } from "./aggregation/authentication-config.ts";
import { builtinPriorities } from "./aggregation/builtin-priorities.ts";
import type { AdmissionChoice } from "./admission/default-admission.ts";
import { createApiServer } from "./create-api-server.ts";
import { advertisedAddress, reachableUrl } from "./network-names.ts";
import { reconcilePolicy } from "./rbac/bootstrap/reconcile-policy.ts";
import { RoleAggregation } from "./rbac/role-aggregation.ts";
import { createFirstObjects } from "./upkeep/first-objects.ts";
import { LocalApi } from "./upkeep/local-api.ts";
import { ServiceAddressRepair } from "./upkeep/service-address-repair.ts";

/** What an API server is given that others have made the certificates for. */
export interface ApiServerAloneOptions extends AdmissionChoice {
  /** Default loopback. */
  readonly host?: string | undefined;
  /** Default any free port. */
  readonly port?: number | undefined;
  /** What the server shows. */
  readonly serving: Certificate;
  /** Signs the certificates of clients (PEM). Default: no client is authenticated by a certificate. */
  readonly clientCa?: string | undefined;
  /** Users by their tokens. */
  readonly tokens?: ReadonlyMap<string, UserInfo> | undefined;
  /** Signs the tokens of service accounts (PEM). Default: there are none. */
  readonly tokenKey?: string | undefined;
  readonly tokenIssuer?: string | undefined;
  /** By which extension servers know this one, and who has signed that (PEM). Default: they do not know it. */
  readonly frontProxy?: { readonly client: Certificate; readonly authority: string } | undefined;
  /** Whether roles and bindings decide who may do what. Default true; otherwise every authenticated user may do anything. */
  readonly rbac?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** An API server that clients can reach. Disposing of it forgets all its objects. */
export interface ApiServerAlone extends AsyncDisposable {
  readonly url: string;
  readonly server: ApiServer;
}

/**
 * Starts an API server and nothing else: no controllers, so that no namespace comes with a service account, none ever ends, and nobody collects
 * garbage. Objects are kept in memory.
 */
export async function startApiServer(options: ApiServerAloneOptions): Promise<ApiServerAlone> {
  const { host = "127.0.0.1", port = 0, serving, clientCa, frontProxy, rbac = true, clock = systemClock, random = systemRandom } = options;
  await using starting = new AsyncDisposableStack();
  const ready = Promise.withResolvers<ApiServer>();
  ready.promise.catch(() => {}); // Whoever started it hears of it.
  const handler: Pick<ApiServer, "handle"> = { handle: async (request) => (await ready.promise).handle(request) };
  const listener = await listen(handler, { host, port, tls: { ...serving, ...(clientCa === undefined ? {} : { clientCa }) }, clock });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await listener[Symbol.asyncDispose]();
  };
  starting.defer(close);
  starting.defer(() => ready.reject(new Error("the API server did not start")));
  const url = reachableUrl(listener.url);
  const tokens = tokensOf(options, clock, random);
  const server = createApiServer({
    storage: createMemoryStorage({ clock }),
    ...(rbac ? { authorize: "rbac" } : {}),
    authenticators: [byCertificate, byStaticToken(options.tokens ?? new Map())],
    ...(tokens === undefined ? {} : { tokens, paths: issuerPaths(tokens, url) }),
    serviceAccounts: options.serviceAccounts,
    withAdmission: options.withAdmission,
    withoutAdmission: options.withoutAdmission,
    extensions: { frontProxy: frontProxy?.client },
    // What a transaction of etcd takes, at least.
    markedForMs: 1,
    clock,
    random,
  });
  starting.use(server);
  const api = new LocalApi(server.transport(), "kube-apiserver");
  await createFirstObjects(api, { host: advertisedAddress(host), port: listener.port });
  if (clientCa !== undefined || frontProxy !== undefined) {
    await writeAuthenticationConfig(api, { clients: clientCa, frontProxy: frontProxy?.authority });
  }
  server.use(new ServiceAddressRepair(server, api));
  server.use(await LocalApiServices.start(server, builtinPriorities));
  if (rbac) {
    await reconcilePolicy(server);
    server.use(new RoleAggregation(server, new LocalApi(server.transport(), "clusterrole-aggregation-controller")));
  }
  ready.resolve(server);
  const all = starting.move();
  // Clients first: their watches end, their requests are answered, and only then does the server go.
  return { url, server, [Symbol.asyncDispose]: () => close().then(() => all.disposeAsync()) };
}

function tokensOf(
  { tokenKey: key, tokenIssuer: issuer }: ApiServerAloneOptions,
  clock: Clock,
  random: Random,
): ServiceAccountTokens | undefined {
  if (key === undefined) return undefined;
  return new ServiceAccountTokens({ key, ...(issuer === undefined ? {} : { issuer }), clock, random });
}
