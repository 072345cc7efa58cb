import { z } from "zod";
import { invalid } from "../error/api-error.ts";
import { invalidValue, typeInvalid } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import { formatApiVersion } from "../object/group-version.ts";
import type { KubeObject } from "../object/kube-object.ts";
import { dns1123SubdomainErrors } from "../object/names.ts";
import { resource } from "../object/resource.ts";
import type { Resource, ResourceNames } from "../object/resource.ts";
import { partsOf } from "./crd-version.ts";
import { compileExclusive, withExclusiveRules } from "./exclusive-fields.ts";
import { isRecord } from "../json/json.ts";
import { normalize } from "./normalize.ts";
import { objectMetaSchema, validateIdentity } from "./object-meta.ts";
import type { LooseMeta } from "./object-meta.ts";
import { sampleOf } from "./sample.ts";
import { propertyOf } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { compileMeta, compileSchema } from "./validate-schema.ts";
import type { AnyVersion } from "./version-options.ts";

/** One version of a resource of ours: a resource like any other, and what its definition knows about its objects. */
export interface DefinedVersion<T extends KubeObject = KubeObject> extends Resource<T> {
  /** The whole object in zod, made of the parts of the definition. Where it and the server differ, `parse` is with the server. */
  readonly schema: z.ZodType<T>;
  /** The same for the server. */
  readonly openApiSchema: StructuralSchema;
  /**
   * What the server would find wrong with an object or draft, apart from rules in CEL, and in its words.
   * Unknown fields are not wrong: the server drops them.
   */
  validate(object: unknown): readonly FieldError[];
  /** The object as the server would store it, with defaults and without unknown fields; throws the refusal that the server would send. */
  parse(object: unknown): T;
  /** An object to start from, always the same: what is required, and what has a default or an example. */
  sample(): T;
}

/** A version from its names and its parts. */
export function definedVersion(names: ResourceNames, version: AnyVersion, openApiSchema: StructuralSchema): DefinedVersion {
  const identity = resource(names);
  const examiner = lazy(() => createExaminer(identity, openApiSchema));
  const parse = (object: unknown): KubeObject => {
    const { kept, errors } = examiner()(object);
    if (errors.length > 0) throw invalid(identity, typeof kept.metadata.name === "string" ? kept.metadata.name : "", errors);
    return kept as KubeObject;
  };
  return Object.freeze({
    ...identity,
    schema: wholeSchema(identity, version),
    openApiSchema,
    validate: (object: unknown) => examiner()(object).errors,
    parse,
    sample: () => parse(sampleOf(identity, openApiSchema)),
  });
}

/** An object as the server would keep it, and what is wrong with it. */
interface Examined {
  readonly kept: { readonly apiVersion: string; readonly kind: string; readonly metadata: LooseMeta };
  readonly errors: readonly FieldError[];
}

function createExaminer(identity: Resource, schema: StructuralSchema): (object: unknown) => Examined {
  const apiVersion = formatApiVersion(identity);
  const { kind, scope } = identity;
  const checkFields = compileSchema(withExclusiveRules(schema));
  const checkExclusive = compileExclusive(schema);
  const checkMeta = compileMeta(dns1123SubdomainErrors);
  const checkNames = compileSchema(propertyOf(schema, "metadata") ?? {});
  return (object) => {
    const errors: FieldError[] = [];
    if (!isRecord(object)) {
      errors.push(typeInvalid(FieldPath.root, object, "must be an object"));
      return { kept: { apiVersion, kind, metadata: {} }, errors };
    }
    const { apiVersion: givenVersion = apiVersion, kind: givenKind = kind, metadata = {}, ...fields } = object;
    if (givenKind !== kind) errors.push(invalidValue(FieldPath.of("kind"), givenKind, `must be ${kind}`));
    if (givenVersion !== apiVersion) errors.push(invalidValue(FieldPath.of("apiVersion"), givenVersion, `must be ${apiVersion}`));
    const path = FieldPath.of("metadata");
    const keptMeta = normalize(metadata ?? {}, objectMetaSchema);
    checkMeta(keptMeta, path, errors);
    const typedMeta = (isRecord(keptMeta) ? keptMeta : {}) as LooseMeta;
    errors.push(...validateIdentity(typedMeta, path, scope === "Cluster"));
    const keptFields = normalize(fields, schema);
    if (isRecord(keptMeta)) checkNames(keptMeta, path, errors);
    checkFields(keptFields, FieldPath.root, errors);
    if (!errors.some(({ type }) => beforeRules.has(type))) checkExclusive?.(keptFields, FieldPath.root, errors);
    return { kept: { apiVersion, kind, metadata: typedMeta, ...(keptFields as object) }, errors };
  };
}

/** After these a server does not come to its rules. */
const beforeRules: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function wholeSchema(identity: Resource, version: AnyVersion): z.ZodType<KubeObject> {
  const metadata = z.looseObject({ name: z.string() });
  const type = { apiVersion: z.literal(formatApiVersion(identity)), kind: z.literal(identity.kind) };
  const { status, ...parts } = partsOf(version);
  return z.object({ ...type, metadata, ...parts, ...(status === undefined ? {} : { status: status.optional() }) });
}

/** Computes once, when it is first asked for: a program that only watches needs none of it. */
function lazy<V>(compute: () => V): () => V {
  let value: { readonly computed: V } | undefined;
  return () => (value ??= { computed: compute() }).computed;
}
