import type { Kind, KindVerb, KindVersion, MergeSchema, ObjectSchema, ServerSchemas, Subresource } from "@kaji/apiserver";
import { formatApiVersion } from "@kaji/core";
import type { GroupVersionKind, JsonObject } from "@kaji/core";
import { apiGroups, isServedByDefault, mergeSchemaOf, patchSchemaOf, structTable } from "@kaji/types/tables";
import type { ApiGroup, ApiResource } from "@kaji/types/tables";
import type { KindDetails, KindDetailsTable } from "./kind-details.ts";
import { nameAndCreation } from "./name-and-age.ts";
import { objectStrategy, onTopOf, statusStrategy } from "./status-strategy.ts";
import { structSchemas } from "./struct-schemas.ts";

const allVerbs: readonly KindVerb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Every kind that a Kubernetes server serves unless told otherwise, but for custom ones, with what the table says of each. */
export function builtinKinds(details: KindDetailsTable): readonly Kind[] {
  table ??= apiGroups().flatMap(tableOf);
  return table.map((kind) => kindOf(kind, details));
}

/** The shapes of what the server reads besides objects. */
export function serverSchemas(): ServerSchemas {
  return {
    deleteOptions: structSchemas.schemaOf({ group: "", version: "v1", kind: "DeleteOptions" }),
    scale: structSchemas.schemaOf({ group: "autoscaling", version: "v1", kind: "Scale" }),
  };
}

/** A kind as the tables have it; in all its versions it is one. */
interface TableKind {
  readonly group: string;
  readonly preferred: TableVersion;
  readonly versions: readonly TableVersion[];
  /** What was last made of it: the same for all servers of the process, unless its details are not. */
  made?: BuiltinKind;
}

interface TableVersion {
  /** Group, version and plural. */
  readonly key: string;
  readonly version: string;
  readonly resource: ApiResource;
}

/** What is served of the tables, read on first use; the same for all servers of the process. */
let table: readonly TableKind[] | undefined;

function tableOf({ group, versions }: ApiGroup): readonly TableKind[] {
  const kinds = new Map<string, TableKind & { readonly versions: TableVersion[] }>();
  for (const { version, resources } of versions) {
    if (!isServedByDefault(version)) continue;
    for (const resource of resources) {
      const served = { key: `${group}/${version}/${resource.name}`, version, resource };
      const known = kinds.get(resource.name);
      if (known === undefined) kinds.set(resource.name, { group, preferred: served, versions: [served] });
      else known.versions.push(served);
    }
  }
  return [...kinds.values()];
}

function kindOf(kind: TableKind, details: KindDetailsTable): Kind {
  if (kind.made?.isWith(details) !== true) kind.made = new BuiltinKind(kind, details);
  return kind.made;
}

/** A kind of the tables, with what a server knows of it besides. Much of it is made on first use: few servers see objects of all kinds. */
class BuiltinKind implements Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly scope: Kind["scope"];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storagePrefix: string;
  readonly storageVersion: string;
  readonly isCustom = false;
  readonly #table: TableKind;
  /** Of each version. */
  readonly #details: readonly KindDetails[];
  #versions: readonly KindVersion[] | undefined;
  #verbs: readonly KindVerb[] | undefined;

  constructor(table: TableKind, details: KindDetailsTable) {
    const { group, preferred } = table;
    const { name, kind, singular, namespaced, shortNames = [], categories = [] } = preferred.resource;
    const { storagePrefix, storageVersion } = details[preferred.key] ?? noDetails;
    this.group = group;
    this.kind = kind;
    this.plural = name;
    this.singular = singular;
    this.listKind = `${kind}List`;
    this.scope = namespaced ? "Namespaced" : "Cluster";
    this.shortNames = shortNames;
    this.categories = categories;
    this.storagePrefix = storagePrefix ?? `/registry/${name}/`;
    this.storageVersion = storageVersion ?? formatApiVersion({ group, version: preferred.version });
    this.#table = table;
    this.#details = table.versions.map(({ key }) => details[key] ?? noDetails);
  }

  /** Whether it would be the same with these details. */
  isWith(details: KindDetailsTable): boolean {
    return this.#table.versions.every(({ key }, index) => this.#details[index] === (details[key] ?? noDetails));
  }

  get versions(): readonly KindVersion[] {
    const { group, versions } = this.#table;
    return (this.#versions ??= versions.map((version, index) => versionOf(group, version, this.#details[index] ?? noDetails)));
  }

  get verbs(): readonly KindVerb[] {
    const { verbs } = this.#table.preferred.resource;
    return (this.#verbs ??= allVerbs.filter((verb) => verbs.includes(verb)));
  }
}

/** What the tables say of the objects of one version, read on first use: few servers see objects of all kinds. */
class Shape implements Required<Pick<KindVersion, "schema" | "mergeSchema" | "empty">> {
  readonly #kind: GroupVersionKind;
  #schema: ObjectSchema | undefined;
  #mergeSchema: MergeSchema | undefined;
  #empty: JsonObject | undefined;

  constructor(kind: GroupVersionKind) {
    this.#kind = kind;
  }

  get schema(): ObjectSchema {
    return (this.#schema ??= structSchemas.schemaOf(this.#kind, patchSchemaOf(this.#struct)));
  }

  get mergeSchema(): MergeSchema {
    const schema = (this.#mergeSchema ??= mergeSchemaOf(this.#struct));
    if (schema === undefined) throw new TypeError(`the tables have no struct for ${this.#kind.kind} in ${formatApiVersion(this.#kind)}`);
    return schema;
  }

  get empty(): JsonObject {
    if (this.#empty === undefined) {
      const { metadata: _metadata, ...empty } = this.schema.decode({}).object;
      this.#empty = empty as JsonObject;
    }
    return this.#empty;
  }

  get #struct(): string {
    return structTable.structOf(this.#kind) ?? "";
  }
}

/** By group, version and kind; the same for all servers of the process. */
const shapes = new Map<string, Shape>();

function shapeOf(kind: GroupVersionKind): Shape {
  const key = `${kind.group}/${kind.version}/${kind.kind}`;
  const shape = shapes.get(key) ?? new Shape(kind);
  shapes.set(key, shape);
  return shape;
}

const noDetails: KindDetails = {};

/** By their details, and then by group, version and plural: versions whose details are the same for all servers of the process are so, too. */
const knownVersions = new WeakMap<KindDetails, Map<string, KindVersion>>();

function versionOf(group: string, { key, version, resource }: TableVersion, details: KindDetails): KindVersion {
  const known = knownVersions.get(details) ?? new Map<string, KindVersion>();
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = newVersion(group, version, resource, details)));
  knownVersions.set(details, known);
  return found;
}

function newVersion(group: string, version: string, resource: ApiResource, details: KindDetails): KindVersion {
  const shape = shapeOf({ group, version, kind: resource.kind });
  const status = resource.subresources?.find(({ name }) => name === "status");
  const resetStatus = status === undefined || details.takesStatus === true ? undefined : () => shape.empty["status"];
  const same: KindVersion["fromStorage"] = (object) => object;
  const { fromStorage = same, toStorage = same, columns = nameAndCreation, rowConditions, selectableFields, deprecation, answer } = details;
  return {
    version,
    get schema() {
      return shape.schema;
    },
    get mergeSchema() {
      return shape.mergeSchema;
    },
    get empty() {
      return shape.empty;
    },
    strategy: onTopOf(objectStrategy(resetStatus, resource.returnsDeleted === true), details.strategy),
    columns,
    subresources: { ...(status === undefined ? {} : { status: statusOf(details) }), ...details.subresources },
    fromStorage,
    toStorage,
    ...(rowConditions === undefined ? {} : { rowConditions }),
    ...(selectableFields === undefined ? {} : { selectableFields }),
    ...(deprecation === undefined ? {} : { deprecation }),
    ...(answer === undefined ? {} : { answer }),
  };
}

function statusOf({ status }: KindDetails): Subresource {
  return { type: "Update", strategy: onTopOf(statusStrategy, status), verbs: ["get", "patch", "update"] };
}
