import {
  Aggregator,
  ApiServer,
  WebhookClient,
  authenticatedOnly,
  createCrdKind,
  discoveryPaths,
  healthPaths,
  indexPaths,
  openApiPaths,
  serveCustomKinds,
} from "@kaji/apiserver";
import type { ApiServerOptions, Authorizer, ExtensionTargets, Kind, ServiceAccountTokens, WebhookTargets } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import { defaultAdmission } from "./admission/default-admission.ts";
import type { AdmissionChoice } from "./admission/default-admission.ts";
import { serviceCheck, servicePrefixes } from "./aggregation/service-check.ts";
import { builtinDefinitions } from "./kinds/builtin-definitions.ts";
import { builtinKinds, serverSchemas } from "./kinds/builtin-kinds.ts";
import { ServiceHoldings } from "./kinds/core/held-by-services.ts";
import { ServiceAddresses } from "./kinds/core/service-addresses.ts";
import type { NodeAccess } from "./kinds/core/node-access.ts";
import { kindDetails } from "./kinds/details.ts";
import type { MeasuredUsage } from "./metrics/measured-usage.ts";
import { metricsKinds } from "./metrics/metrics-kinds.ts";
import { objectLookup } from "./object-lookup.ts";
import { createRbac } from "./rbac/rbac.ts";
import type { Rbac } from "./rbac/rbac.ts";
import { EventExpiry } from "./upkeep/event-expiry.ts";
import { LocalApi } from "./upkeep/local-api.ts";
import { debugPages } from "./server-metrics/debug-pages.ts";
import { HealthMetrics } from "./server-metrics/health-metrics.ts";
import { metricsPaths } from "./server-metrics/metrics-paths.ts";
import { RequestMetrics } from "./server-metrics/request-metrics.ts";
import { serviceResolver } from "./service-resolver.ts";
import { tokenIssuer } from "./token-issuer.ts";
import { tokenReviewer } from "./token-reviewer.ts";

/** Which Kubernetes this is, as far as clients can tell. */
const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };

/** What an API server with all built-in kinds takes from outside. */
export interface ClusterServerOptions extends AdmissionChoice, Omit<ApiServerOptions, "authorize" | "kinds" | "schemas"> {
  /** `rbac` lets the roles and bindings among the objects decide. Default: every authenticated user may do anything. */
  readonly authorize?: Authorizer | "rbac";
  /** Issues the tokens of service accounts, and knows them again. Default: there are no such tokens. */
  readonly tokens?: ServiceAccountTokens;
  /** Where the webhooks are that configurations and definitions name. Default wherever their URLs say, and behind services. */
  readonly webhooks?: WebhookTargets;
  /** Where the servers are that APIServices name, and by what they know this one. Default behind services, without a certificate. */
  readonly extensions?: Partial<ExtensionTargets>;
  /** What nodes have of the pods that they run. Default: pods run nowhere. */
  readonly nodes?: NodeAccess;
  /** What pods and nodes use, which is served as `metrics.k8s.io`. Default: nobody knows, and nothing is served. */
  readonly usage?: MeasuredUsage;
}

/** An API server with all built-in kinds, and with the custom ones that are defined in it. Unless told otherwise it admits what a real one would. */
export function createApiServer({
  tokens,
  authorize,
  webhooks = {},
  extensions = {},
  nodes,
  usage,
  ...options
}: ClusterServerOptions): ApiServer {
  const lookup = objectLookup(() => server);
  const rbac = authorize === "rbac" ? createRbac(options.storage) : undefined;
  const authorization: Partial<Rbac> = rbac ?? (typeof authorize === "function" ? { authorize } : {});
  const { storage, authenticators = [], clock = systemClock, random = systemRandom } = options;
  const resolveService = serviceResolver(storage, random);
  const client = new WebhookClient({ resolveService, ...webhooks }, clock);
  const { authorize: mayDo = authenticatedOnly } = authorization;
  const api = new LocalApi((request) => server.transport()(request), "kube-apiserver");
  const sources = { api, kinds: () => server.kinds, scaleSchema: serverSchemas().scale };
  const { admission = defaultAdmission({ ...options, client, authorize: mayDo, ...sources }) } = options;
  const tokenRoles =
    tokens === undefined ? {} : { issueToken: tokenIssuer(tokens), authenticate: tokenReviewer(tokens, authenticators, lookup) };
  const held = new ServiceHoldings(storage);
  const services = { held, addresses: new ServiceAddresses(api) };
  const roles = { ...authorization, ...tokenRoles, services, ...(nodes === undefined ? {} : { nodes }) };
  const kinds = builtinKinds(kindDetails(roles)).map(withDefinitions);
  const requests = new RequestMetrics();
  const health = new HealthMetrics();
  const server: ApiServer = new ApiServer({
    ...options,
    observe: (record) => {
      requests.add(record, server.kinds);
      options.observe?.(record);
    },
    authorize: mayDo,
    admission: [...admission, ...(authorization.admission ?? [])],
    authenticators: tokens === undefined ? authenticators : [...authenticators, tokens.authenticator(lookup)],
    kinds: usage === undefined ? kinds : [...kinds, ...metricsKinds(usage)],
    schemas: serverSchemas(),
    paths: { ...options.paths, ...healthPaths(version, (path, check) => health.add(path, check)) },
  });
  server.use(client);
  server.use(held);
  server.use(new EventExpiry(server));
  const remote = server.use(
    new Aggregator(server, { resolveService, checkService: serviceCheck(storage), servicePrefixes, ...extensions }),
  );
  server.passOn(remote.find);
  server.addPaths(metricsPaths({ server, storage, requests, health, version }));
  server.addPaths(debugPages(server.clock, version));
  server.addPaths(discoveryPaths(server.kinds, remote));
  server.addPaths(indexPaths(server.kinds, remote, () => server.paths));
  server.addPaths(openApiPaths(server.kinds, { definitions: builtinDefinitions, version: `${version.major}.${version.minor}`, remote }));
  if (rbac !== undefined) server.use(rbac);
  const crdKind = kinds.find(isCrdKind);
  if (crdKind !== undefined) server.use(serveCustomKinds(server, crdKind, { conversions: { client, random: server.random } }));
  return server;
}

/** The kind of definitions is the server's own; what the tables know of it is how it is read and merged. */
function withDefinitions(kind: Kind): Kind {
  const [version] = isCrdKind(kind) ? kind.versions : [];
  return version === undefined ? kind : createCrdKind(version);
}

function isCrdKind({ group, plural }: Kind): boolean {
  return group === "apiextensions.k8s.io" && plural === "customresourcedefinitions";
}
