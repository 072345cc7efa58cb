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
  /** The same in the other versions that are served. */
  readonly others: readonly Resource[];
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
  const inVersion = (name: string): Resource => resource({ group, version: name, kind: names.kind, plural: names.plural, scope });
  return { definition, storage, resource: inVersion(version), others: served.filter((name) => name !== version).map(inVersion) };
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
  const { clock } = session;
  const names = await namesOf(session, kind, migration.others);
  let told = clock.monotonic();
  const tell = (done: number): void => {
    if (clock.monotonic() - told < tellEveryMs) return;
    told = clock.monotonic();
    report.progress(`${done} of ${counted(names.length, kind.kind)} written anew`);
  };
  const { written, refused } = await writeAnew(session, kind, names, tell);
  if (refused.length > 0) {
    throw new CommandError(
      `${counted(refused.length, kind.kind)} of ${names.length} could not be written anew${refused.length > namedAtMost ? ", such as" : ":"} ${refused.slice(0, namedAtMost).join("; ")}; mend them, and run it again`,
    );
  }
  await settle(session, migration);
  return `${counted(written, kind.kind)} written anew, stored in ${storage} alone`;
}

const tellEveryMs = 2000;

/** How many of those that could not be written are said with their reason. */
const namedAtMost = 5;

/**
 * The names of all objects. Pages of a list expire while they are worked on, so that they are read before any is written; what is made later is stored in the present version. One object that cannot be
 * converted has a list of all refused: it may be to be had in another version.
 */
async function namesOf(
  { client, cluster, signal }: ClusterSession,
  kind: Resource,
  others: readonly Resource[],
): Promise<readonly NamespacedName[]> {
  const failures: ApiError[] = [];
  for (const version of [kind, ...others]) {
    try {
      const names: NamespacedName[] = [];
      for await (const { metadata } of client.listAll(version, { signal }))
        names.push({ namespace: metadata.namespace, name: metadata.name });
      return names;
    } catch (error) {
      if (!isServerFailure(error)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  throw first === undefined ? new TypeError("there is no version to list") : unconverted(first, cluster);
}

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
  { client, cluster, signal }: ClusterSession,
  kind: Resource,
  names: readonly NamespacedName[],
  tell: (done: number) => void = () => {},
): Promise<Rewriting> {
  let written = 0;
  const refused: string[] = [];
  const failures: ApiError[] = [];
  const write = async (name: NamespacedName): Promise<void> => {
    try {
      await client.mergePatch<KubeObject>(kind, name, {}, { signal });
      written++;
    } catch (error) {
      if (isReason(error, "NotFound", "Conflict")) return;
      if (!isRefusal(error) && !isServerFailure(error)) throw error;
      if (isServerFailure(error)) failures.push(error);
      refused.push(`${objectKey(name)}: ${error.message}`);
    }
  };
  for (let done = 0; done < names.length; done += atOnce) {
    const settled = await Promise.allSettled(names.slice(done, done + atOnce).map(write));
    const failure = settled.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    // It is not the objects then: nobody converts.
    const [first] = failures;
    if (first !== undefined && written === 0 && failures.length >= atOnce) throw unconverted(first, cluster);
    tell(Math.min(done + atOnce, names.length));
  }
  return { written, refused: refused.toSorted() };
}

/** Whether it is the object that is not taken, by its definition or by admission: others may be. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code < 500 && !isReason(error, "Unauthorized", "TooManyRequests");
}

/** Whether the server could not do it, as it tells of an object that cannot be converted. */
function isServerFailure(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 500;
}

function unconverted(error: ApiError, cluster: string): CommandError {
  return new CommandError(`${cluster} refused: ${error.message}; an operator that converts versions has to run for this`, { cause: error });
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
