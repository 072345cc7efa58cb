import { ApiServer, createCrdKind, discoveryPaths, healthPaths, openApiPaths, serveCustomKinds } from "@kaji/apiserver";
import type { ApiServerOptions, Kind, Storage } from "@kaji/apiserver";
import { builtinDefinitions } from "./kinds/builtin-definitions.ts";
import { builtinKinds, serverSchemas } from "./kinds/builtin-kinds.ts";
import { kindDetails } from "./kinds/details.ts";

/** Which Kubernetes this is, as far as clients can tell. */
const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };

/** An API server with all built-in kinds, and with the custom ones that are defined in it. */
export function createApiServer(options: Omit<ApiServerOptions, "kinds" | "schemas"> & { readonly storage: Storage }): ApiServer {
  const kinds = builtinKinds(kindDetails()).map(withDefinitions);
  const server = new ApiServer({
    ...options,
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

/** The kind of definitions is the server's own; what the tables know of it is how it is read and merged. */
function withDefinitions(kind: Kind): Kind {
  const [version] = kind.versions;
  return isCrdKind(kind) && version !== undefined ? createCrdKind(version.schema, version.mergeSchema) : kind;
}

function isCrdKind({ group, plural }: Kind): boolean {
  return group === "apiextensions.k8s.io" && plural === "customresourcedefinitions";
}
