import { ApiError, isReason, objectKey, resource } from "@kaji/core";
import type { KubeObject, NamespacedName, Resource } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ResourceAttributes } from "@kaji/types/authorization/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { counted } from "../counted.ts";
import type { ChangeReport } from "../deploy/change-report.ts";

/** A kind of which objects may be stored in versions other than the present one. */
export interface StorageMigration {
  /** As it was before anything was written. */
  readonly definition: CustomResourceDefinition;
  /** The version that objects are stored in when they are written. */
  readonly storage: string;
  /** How its objects are reached. */
  readonly resource: Resource;
}

/** What there is to do for a definition; undefined if all of its objects are stored in one version, which is the present one. */
export function migrationOf(definition: CustomResourceDefinition): StorageMigration | undefined {
  const { group, names, versions } = definition.spec;
  const scope = definition.spec.scope === "Cluster" ? "Cluster" : "Namespaced";
  const storage = versions.find((version) => version.storage)?.name ?? "";
  const { storedVersions = [] } = definition.status ?? {};
  if (storedVersions.every((version) => version === storage)) return undefined;
  const served = versions.filter((version) => version.served).map(({ name }) => name);
  const version = served.includes(storage) ? storage : (served[0] ?? storage);
  return { definition, storage, resource: resource({ group, version, kind: names.kind, plural: names.plural, scope }) };
}

/** What a user must be allowed to do for it. */
export function accessToMigrate({ definition, resource: { group, plural } }: StorageMigration): readonly ResourceAttributes[] {
  const { name } = definition.metadata;
  return [
    { group, resource: plural, verb: "list" },
    { group, resource: plural, verb: "patch" },
    { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", subresource: "status", verb: "update", name },
  ];
}

/** Writes all objects of a kind anew, and then has its definition say that they are stored in the present version alone. Returns what was done, in words. */
export async function migrateStorage(session: ClusterSession, migration: StorageMigration, report: ChangeReport): Promise<string> {
  const { storage, resource: kind } = migration;
  const { client, clock, signal } = session;
  // Pages of a list expire while they are worked on, so that all names are read before. What is made later is stored in the present version.
  const names: NamespacedName[] = [];
  for await (const { metadata } of client.listAll(kind, { signal })) names.push({ namespace: metadata.namespace, name: metadata.name });
  let told = clock.monotonic();
  const tell = (done: number): void => {
    if (clock.monotonic() - told < tellEveryMs) return;
    told = clock.monotonic();
    report.progress(`${done} of ${counted(names.length, kind.kind)} written anew`);
  };
  const { written, refused } = await writeAnew(session, kind, names, tell);
  const [first] = refused;
  if (first !== undefined) {
    throw new CommandError(
      `${counted(refused.length, kind.kind)} of ${names.length} could not be written anew${refused.length === 1 ? ":" : ", such as"} ${first}; mend them, and run it again`,
    );
  }
  await settle(session, migration);
  return `${counted(written, kind.kind)} written anew, stored in ${storage} alone`;
}

const tellEveryMs = 2000;

/** So many objects are written at a time. */
const atOnce = 10;

/** How writing objects anew went. */
export interface Rewriting {
  readonly written: number;
  /** Those that were refused, with the reason. */
  readonly refused: readonly string[];
}

/**
 * Has the server write objects as they are: a patch without content makes it read, convert and store them, and is no change to anybody. Those that are gone need it no longer, and what another client
 * writes in between is stored in the present version by that.
 */
export async function writeAnew(
  { client, signal }: ClusterSession,
  kind: Resource,
  names: readonly NamespacedName[],
  tell: (done: number) => void = () => {},
): Promise<Rewriting> {
  let written = 0;
  const refused: string[] = [];
  const write = async (name: NamespacedName): Promise<void> => {
    try {
      await client.mergePatch<KubeObject>(kind, name, {}, { signal });
      written++;
    } catch (error) {
      if (isReason(error, "NotFound", "Conflict")) return;
      if (!isRefusal(error)) throw error;
      refused.push(`${objectKey(name)}: ${error.message}`);
    }
  };
  for (let done = 0; done < names.length; done += atOnce) {
    const settled = await Promise.allSettled(names.slice(done, done + atOnce).map(write));
    const failure = settled.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    tell(Math.min(done + atOnce, names.length));
  }
  return { written, refused };
}

/** Whether it is the object that is not taken, by its definition or by admission: others may be. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code < 500 && !isReason(error, "Unauthorized", "TooManyRequests");
}

/** Has the definition say that objects are stored in one version, unless it was changed while they were written. */
async function settle({ client, signal }: ClusterSession, { definition, storage }: StorageMigration): Promise<void> {
  const { name, uid, generation } = definition.metadata;
  const change = (now: CustomResourceDefinition): CustomResourceDefinition => {
    if (now.metadata.uid !== uid || now.metadata.generation !== generation) {
      throw new CommandError(`${name} was changed while its objects were written; run it again`);
    }
    return { ...now, status: { ...now.status, storedVersions: [storage] } };
  };
  await client.mutate(CustomResourceDefinition, definition.metadata, change, { subresource: "status", signal });
}
