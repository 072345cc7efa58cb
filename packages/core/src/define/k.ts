import { z } from "zod";
import type { JsonValue } from "../json/json.ts";
import type { Condition } from "../object/condition.ts";
import type { IntOrString } from "../scalar/int-or-string.ts";
import type { ObjectMeta } from "../object/kube-object.ts";
import type { LabelSelector } from "../selector/label-selector.ts";
import { isDateTime } from "./date-time.ts";
import { kubeCheck } from "./kube-check.ts";
import type { KubeCheck } from "./kube-check.ts";
import { duplicatesIn, keysOf } from "./list-type.ts";
import { quantityPattern } from "./quantity-pattern.ts";
import { validationRule } from "./rule.ts";
import type { RuleOptions } from "./rule.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const dnsLabelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const conditionTypePattern =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const conditionReasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const apiVersionPattern = /^(?=.)[^/]*(\/[^/]*)?$/s;
const kindPattern = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;
/** Made of a text, in which a bundler can escape the µ: V8 keeps a program of plain ASCII in half the memory. */
const durationPattern = new RegExp("^(([0-9]+(\\.[0-9]+)?(h|m|s|ms|us|µs|ns))+|0)$");
const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

/** A name such as most kinds take for their parts: lower case, digits and hyphens, at most 63 characters. */
export function dnsLabel(): z.ZodString {
  return z.string().min(1).max(63).regex(dnsLabelPattern);
}

/** The name of an object of most kinds, or of a host: DNS labels with dots between them, at most 253 characters. */
export function dnsSubdomain(): z.ZodString {
  return z.string().min(1).max(253).regex(dnsSubdomainPattern);
}

/** The value of a label. It may be empty. */
export function labelValue(): z.ZodString {
  return z.string().max(63).regex(labelValuePattern);
}

/** An amount such as `500m`, `1.5Gi` or 2, to be read with `Quantity`. */
export function quantity(): z.ZodUnion<readonly [z.ZodInt, z.ZodString]> {
  const pattern = quantityPattern.source;
  return z.union([z.int(), z.string().regex(quantityPattern)]).check(whole({ "x-kubernetes-int-or-string": true, pattern }));
}

/** A whole number or a text, such as a port by number or name, or a count or percentage. */
export function intOrString(): z.ZodType<IntOrString, IntOrString> {
  return z.union([z.int(), z.string()]).check(whole({ "x-kubernetes-int-or-string": true }));
}

/** A moment in RFC 3339, such as `2026-01-31T12:00:00Z`. In rules it is a timestamp, in columns an age. */
export function time(): z.ZodString {
  const format = kubeCheck<string>((schema) => ({ ...schema, format: "date-time" }), {
    complaint: (value) => (isDateTime(value) ? undefined : "must be a date and time"),
  });
  return z.string().regex(timePattern).check(format);
}

/** A span of time such as `1h30m` or `250ms`, to be read with `durationMs`. */
export function duration(): z.ZodString {
  return z.string().regex(durationPattern);
}

/** The conditions of a status, one for each type. Absent until the first one is set. */
export function conditions(): z.ZodOptional<z.ZodArray<z.ZodType<Condition, Condition>>> {
  const condition = z.object({
    type: z.string().max(316).regex(conditionTypePattern),
    status: z.enum(["True", "False", "Unknown"]),
    observedGeneration: z.int().min(0).exactOptional(),
    lastTransitionTime: time(),
    reason: z.string().min(1).max(1024).regex(conditionReasonPattern),
    message: z.string().max(32768),
  });
  return listMap<z.ZodType<Condition, Condition>>(condition, "type").optional();
}

/** Which objects are meant, by their labels; `compileSelector` reads it. */
export function labelSelector(): z.ZodType<LabelSelector, LabelSelector> {
  const requirement = z.object({
    key: z.string(),
    operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
    values: z.array(z.string()).exactOptional(),
  });
  // Without it the sample would be `{}`, which selects everything.
  const matchLabels = z.record(z.string(), z.string()).meta({ example: { app: "sample" } });
  return z.object({ matchLabels: matchLabels.exactOptional(), matchExpressions: z.array(requirement).exactOptional() }).check(atomic());
}

/** A list in which each value is once. Scalars, or lists and objects that are `atomic`. */
export function set<I extends z.ZodType>(item: I): z.ZodArray<I> {
  return z.array(item).check(
    kubeCheck((schema) => ({ ...schema, "x-kubernetes-list-type": "set" }), {
      complaint: (items) => (duplicatesIn(items).length > 0 ? "must not have a value twice" : undefined),
    }),
  );
}

/** A list of objects in which these fields together are the key. Managers that apply different items do not disturb each other. */
export function listMap<I extends z.ZodType>(item: I, ...keys: readonly [ListKey<I>, ...ListKey<I>[]]): z.ZodArray<I> {
  return z.array(item).check(
    kubeCheck((schema) => ({ ...schema, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys }), {
      complaint: (items) => (duplicatesIn(keysOf(items, keys)).length > 0 ? `must not have the same ${keys.join(", ")} twice` : undefined),
    }),
  );
}

/** The fields by which the items of a list can be told apart. */
export type ListKey<I extends z.ZodType> = keyof z.output<I> & string;

/** Makes of a list, map or object one value, which a manager that applies it owns as a whole. */
export function atomic(): KubeCheck<object> {
  return kubeCheck((schema) => ({ ...schema, [schema.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type"]: "atomic" }));
}

/** How many entries a map may have. Rules inside a map need a maximum, or the server estimates that they cost too much. */
export function properties({ min, max }: { readonly min?: number; readonly max?: number }): KubeCheck<object> {
  const limits = { ...(min === undefined ? {} : { minProperties: min }), ...(max === undefined ? {} : { maxProperties: max }) };
  return kubeCheck((schema) => ({ ...schema, ...limits }), {
    complaint: (value) => {
      const count = Object.keys(value).length;
      if (min !== undefined && count < min) return `must have at least ${min} properties`;
      return max !== undefined && count > max ? `must have at most ${max} properties` : undefined;
    },
  });
}

/** An object with exactly one of these fields: what a union is in Kubernetes. */
export function oneOf<S extends Readonly<Record<string, z.ZodType>>>(options: S): z.ZodType<OneOf<S, "output">, OneOf<S, "input">> {
  const optional = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.exactOptional()]));
  const names = Object.keys(options).join(", ");
  const bound = kubeCheck<object>((schema) => ({ ...schema, minProperties: 1, maxProperties: 1 }), {
    complaint: (value) => {
      const present = Object.keys(value);
      if (present.length === 1) return undefined;
      return `must have exactly one of ${names}, and has ${present.length === 0 ? "none" : present.join(", ")}`;
    },
  });
  const one = z.object(optional).check(bound);
  return one as z.ZodType as z.ZodType<OneOf<S, "output">, OneOf<S, "input">>;
}

/** One of the fields of `S`, and none of the others. */
export type OneOf<S extends Readonly<Record<string, z.ZodType>>, Side extends "input" | "output"> = {
  [K in keyof S & string]: { readonly [P in K]: S[P]["_zod"][Side] } & { readonly [P in Exclude<keyof S & string, K>]?: never };
}[keyof S & string];

/** Another API object inside this one. The server checks its type and metadata and keeps the rest as it is. */
export function embeddedObject(): z.ZodType<EmbeddedObject, EmbeddedObject> {
  const metadata = z.looseObject({}) as z.ZodType as z.ZodType<Partial<ObjectMeta>, Partial<ObjectMeta>>;
  return z
    .looseObject({
      apiVersion: z.string().regex(apiVersionPattern),
      kind: z.string().max(63).regex(kindPattern),
      metadata: metadata.exactOptional(),
    })
    .check(whole({ type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }));
}

/** An API object inside another; unlike a stored one it needs no name. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** An object that the server keeps as it is, whatever its fields: what the type says of it, nobody checks. */
export function preserveUnknownFields<T extends object = Readonly<Record<string, unknown>>>(): z.ZodType<T, T> {
  return z.looseObject({}) as z.ZodType as z.ZodType<T, T>;
}

/** A condition in CEL that the server checks: `.check(k.rule("self.min <= self.max", { message: "min exceeds max" }))`. */
export function rule<T>(expression: string, options: RuleOptions<T> = {}): KubeCheck<T> {
  const added = validationRule({ rule: expression, ...options });
  return kubeCheck((schema) => ({ ...schema, "x-kubernetes-validations": [...(schema["x-kubernetes-validations"] ?? []), added] }));
}

/** A value that stays as it was first set, or the message is told. An optional field can still be removed, unless a rule of its parent says otherwise. */
export function immutable({ message = "is immutable" }: { readonly message?: string } = {}): KubeCheck<unknown> {
  return rule("self == oldSelf", { message, reason: "FieldValueForbidden" });
}

/**
 * What the server is to check, as OpenAPI has it: of a single value all of it, of an object, map or list what is to be said beside its fields or items. For definitions that are made of
 * other definitions, as by `kaji types`: this program checks none of it.
 */
export function openApi(schema: OpenApiFacts): KubeCheck<unknown> {
  return kubeCheck((plain) => {
    const isContainer = plain.type === "object" || plain.type === "array";
    return { ...(isContainer ? plain : {}), ...schema } as StructuralSchema;
  });
}

/** What OpenAPI can say of a value, combinations of conditions included. */
export type OpenApiFacts = Omit<StructuralSchema, "allOf"> & { readonly [Combination in "allOf" | "anyOf" | "not" | "oneOf"]?: JsonValue };

function whole(schema: StructuralSchema): KubeCheck<unknown> {
  return kubeCheck(() => schema, { replaces: true });
}
