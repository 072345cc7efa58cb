import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { ApiError } from "@kaji/core";
import type { Draft, KubeObject, Resource } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace } from "@kaji/types/core/v1";

/** Something that an API server has against an object. */
export interface ValidationProblem {
  /** Where, such as `spec.replicas`; empty where it is about the object as a whole. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * What an API server would have against an object of a custom resource: fields that are unknown, the schema and its CEL rules. With `old`, what it would have against
 * changing that object into this one, transition rules included. Nothing is wrong if there is nothing in the answer. An object that is in no namespace and has to be, such as a sample, is taken
 * to be in `default`.
 */
export async function validate<T extends KubeObject>(
  resource: Resource<T> & Pick<ResourceDefinition, "crd">,
  object: Draft<T>,
  { old }: { readonly old?: Draft<T> } = {},
): Promise<readonly ValidationProblem[]> {
  const [clock, random] = [new ManualClock(), seededRandom(1)];
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random });
  const client = new KubeClient(server.transport(), { clock, random, onWarning: () => {} });
  await client.create(CustomResourceDefinition, resource.crd());
  const place = resource.scope === "Cluster" ? {} : { namespace: object.metadata.namespace ?? "default" };
  const placed = (given: Draft<T>): Draft<T> => ({ ...given, metadata: { ...given.metadata, ...place } });
  if (place.namespace !== undefined) await client.create(Namespace, { metadata: { name: place.namespace } });
  // A definition takes a while to be served.
  await clock.advance(10_000);
  const stored = old === undefined ? undefined : await client.create(resource, placed(old));
  try {
    const options = { dryRun: true, fieldValidation: "Strict" } as const;
    if (stored === undefined) await client.create(resource, placed(object), options);
    else await client.update(resource, { ...object, metadata: { ...object.metadata, ...place, ...versionOf(stored) } }, options);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return problemsOf(error);
  }
}

function versionOf({ metadata }: KubeObject): { readonly resourceVersion?: string } {
  return metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
}

function problemsOf({ status, message }: ApiError): readonly ValidationProblem[] {
  const causes = status.details?.causes ?? [];
  if (causes.length === 0) return [{ field: "", reason: status.reason ?? "", message }];
  return causes.map(({ field = "", reason = "", message: text = "" }) => ({ field, reason, message: text }));
}
