import { ApiServer, createCrdKind, discoveryPaths, healthPaths, openApiPaths, serveCustomKinds } from "@kaji/apiserver";
import type { ApiServerOptions, Authenticator, Kind, ObjectLookup, ServiceAccountTokens } from "@kaji/apiserver";
import { defaultAdmission } from "./admission/default-admission.ts";
import { builtinDefinitions } from "./kinds/builtin-definitions.ts";
import { builtinKinds, serverSchemas } from "./kinds/builtin-kinds.ts";
import { kindDetails } from "./kinds/details.ts";
import { objectLookup } from "./object-lookup.ts";
import { tokenIssuer } from "./token-issuer.ts";

/** Which Kubernetes this is, as far as clients can tell. */
const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };

/** What an API server with all built-in kinds takes from outside. */
export interface ClusterServerOptions extends Omit<ApiServerOptions, "kinds" | "schemas"> {
  /** Issues the tokens of service accounts, and knows them again. Default: there are no such tokens. */
  readonly tokens?: ServiceAccountTokens;
}

/** An API server with all built-in kinds, and with the custom ones that are defined in it. Unless told otherwise it admits what a real one would. */
export function createApiServer({ tokens, ...options }: ClusterServerOptions): ApiServer {
  const lookup = objectLookup(() => server);
  const authorizing = options.authorize === undefined ? {} : { authorize: options.authorize };
  const kinds = builtinKinds(kindDetails({ ...authorizing, ...tokenRoles(tokens, lookup) })).map(withDefinitions);
  const server: ApiServer = new ApiServer({
    admission: defaultAdmission(options.storage),
    ...options,
    authenticators: [...(options.authenticators ?? []), ...tokenAuthenticators(tokens, lookup)],
    kinds,
    schemas: serverSchemas(),
    paths: { ...options.paths, ...healthPaths(version) },
  });
  server.addPaths(discoveryPaths(server.kinds));
  server.addPaths(openApiPaths(server.kinds, { definitions: builtinDefinitions, version: `${version.major}.${version.minor}` }));
  const crdKind = kinds.find(isCrdKind);
  if (crdKind !== undefined) server.use(serveCustomKinds(server, crdKind));
  return server;
}

type TokenRoles = Pick<NonNullable<Parameters<typeof kindDetails>[0]>, "issueToken" | "authenticate">;

function tokenRoles(tokens: ServiceAccountTokens | undefined, lookup: ObjectLookup): TokenRoles {
  if (tokens === undefined) return {};
  return {
    issueToken: tokenIssuer(tokens),
    authenticate: (token, audiences) => tokens.review(token, audiences.length === 0 ? tokens.audiences : audiences, lookup),
  };
}

function tokenAuthenticators(tokens: ServiceAccountTokens | undefined, lookup: ObjectLookup): readonly Authenticator[] {
  return tokens === undefined ? [] : [tokens.authenticator(lookup)];
}

/** The kind of definitions is the server's own; what the tables know of it is how it is read and merged. */
function withDefinitions(kind: Kind): Kind {
  const [version] = kind.versions;
  return isCrdKind(kind) && version !== undefined ? createCrdKind(version.schema, version.mergeSchema) : kind;
}

function isCrdKind({ group, plural }: Kind): boolean {
  return group === "apiextensions.k8s.io" && plural === "customresourcedefinitions";
}
