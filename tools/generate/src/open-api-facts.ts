import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A schema as the published OpenAPI v3 documents have it, as far as we read it. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly default?: unknown;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-unions"?: readonly OpenApiUnion[];
}

/** Fields of which one at most may be set. */
export interface OpenApiUnion {
  readonly discriminator?: string;
  readonly "fields-to-discriminateBy": Readonly<Record<string, string>>;
}

/** What the documents say: definitions by their name, and which paths answer a deletion with the object. */
export interface OpenApiFacts {
  readonly definitions: ReadonlyMap<string, OpenApiSchema>;
  /** `/apis/apps/v1/namespaces/{namespace}/deployments/{name}` and the like. */
  readonly pathsReturningDeleted: ReadonlySet<string>;
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
  readonly paths: Readonly<Record<string, { readonly delete?: OpenApiOperation }>>;
}

interface OpenApiOperation {
  readonly "x-kubernetes-action"?: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>> }>
  >;
}

/** Reads every document published with Kubernetes. */
export function readOpenApi(kubernetes: string): OpenApiFacts {
  const folder = join(kubernetes, "api/openapi-spec/v3");
  const definitions = new Map<string, OpenApiSchema>();
  const pathsReturningDeleted = new Set<string>();
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith(".json")) continue;
    const document = JSON.parse(readFileSync(join(folder, file), "utf8")) as OpenApiDocument;
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) definitions.set(name, schema);
    for (const [path, { delete: operation }] of Object.entries(document.paths)) {
      if (operation?.["x-kubernetes-action"] === "delete" && !answersStatus(operation)) pathsReturningDeleted.add(path);
    }
  }
  return { definitions, pathsReturningDeleted };
}

function answersStatus({ responses }: OpenApiOperation): boolean {
  const answer = responses["200"]?.content?.["application/json"]?.schema.$ref;
  return answer === undefined || answer.endsWith(".meta.v1.Status");
}
