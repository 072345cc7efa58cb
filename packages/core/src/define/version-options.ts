import type { z } from "zod";
import type { Drafted, KubeObject, ObjectMeta } from "../object/kube-object.ts";
import type { CrdScale } from "./custom-resource-definition.ts";
import type { DeepReadonly } from "./deep-readonly.ts";
import type { AnyColumn, Columns } from "./printer-columns.ts";
import type { Rule } from "./rule.ts";
import type { PathTo } from "./schema-path.ts";

/** Fields by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** What one version of a resource looks like. Absent parts are `z.ZodNever` and no fields. */
export interface VersionOptions<S extends z.ZodType, F extends Shape, St extends z.ZodType> {
  /** What the user wants: the fields of `spec`. */
  readonly spec?: S;
  /** What the controller has observed. Gives the resource the status subresource, so that a write changes either spec or status. */
  readonly status?: St;
  /** Further fields beside `spec`, for a resource that is like a ConfigMap. */
  readonly fields?: F;
  /** What the names of objects must be like, beyond what every name must. Those of the definition hold in all versions that say nothing else. */
  readonly names?: NameLimits;
  /** What the resource is for; `kubectl explain` shows it. That of the definition is that of all versions without their own. */
  readonly description?: string;
  readonly columns?: Columns<NoInfer<View<S, F, St>>>;
  /** Gives the resource the scale subresource, for `kubectl scale` and autoscalers. */
  readonly scale?: Scale<NoInfer<View<S, F, St>>>;
  /** The fields by which lists and watches can be filtered, at most 8. */
  readonly selectableFields?: readonly SelectablePath<NoInfer<View<S, F, St>>>[];
  /** Rules in CEL about the whole object, of whose metadata they see `name` and `generateName` only. */
  readonly rules?: readonly Rule<NoInfer<View<S, F, St>>>[];
  /** Whether the API offers this version. Default true. */
  readonly served?: boolean;
  /** Whether objects are stored in this version. Default: the version that the definition is about. */
  readonly storage?: boolean;
  /** Warns whoever uses this version, with this text or one of the server. Default false. */
  readonly deprecated?: boolean | string;
}

/** Limits of names, which are all that a schema can say of metadata: `{ name: z.string().max(40) }`. */
export interface NameLimits {
  readonly name?: z.ZodString;
  /** Of the beginning of a name that the server completes. */
  readonly generateName?: z.ZodString;
}

/** The same after inference, when the compiler has checked the paths. */
export interface AnyVersion {
  readonly spec?: z.ZodType;
  readonly status?: z.ZodType;
  readonly fields?: Shape;
  readonly names?: NameLimits;
  readonly description?: string;
  readonly columns?: Readonly<Record<string, AnyColumn>>;
  readonly scale?: CrdScale;
  readonly selectableFields?: readonly string[];
  readonly rules?: readonly Rule<AnyFields>[];
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean | string;
}

/** An object whose fields are not known to the compiler: any path leads to one. */
type AnyFields = Readonly<Record<string, unknown>>;

/** Where the scale subresource finds the numbers of replicas and the selector, in its text form. */
export interface Scale<T> {
  readonly specReplicasPath: Under<"spec", PathTo<number, T>, "the spec has no number of replicas">;
  readonly statusReplicasPath: Under<"status", PathTo<number, T>, "the status has no number of replicas">;
  readonly labelSelectorPath?: Under<"spec" | "status", PathTo<string, T>, "neither spec nor status has a text">;
}

/** The paths below a part of an object; if there are none, what the compiler is to say. */
type Under<Top extends string, P extends string, Missing extends string> = [P & `${Top}.${string}`] extends [never]
  ? Missing
  : P & `${Top}.${string}`;

/** The paths of what a list can be filtered by: anything with a single value outside the metadata. */
type SelectablePath<T> = Exclude<PathTo<string | number | boolean, T>, `metadata.${string}`>;

/** The objects of a version, field by field, as an editor then shows them. `Draft` of it lets fields with defaults be omitted. */
export type DefinedObject<A extends string, K extends string, S extends z.ZodType, F extends Shape, St extends z.ZodType> = [
  { readonly apiVersion: A; readonly kind: K; readonly metadata: ObjectMeta } & DeepReadonly<z.output<z.ZodObject<Fields<S, F>>>> &
    Status<St>,
  DeepReadonly<z.input<z.ZodObject<Fields<S, F>>>>,
] extends [infer Whole extends KubeObject, infer Draft]
  ? { readonly [Field in keyof Whole]: Whole[Field] } & Drafted<Draft>
  : never;

type Fields<S extends z.ZodType, F extends Shape> = F & ([S] extends [z.ZodNever] ? unknown : { readonly spec: S });

type Status<St extends z.ZodType> = [St] extends [z.ZodNever] ? unknown : { readonly status?: DeepReadonly<z.output<St>> };

/** What paths lead through. */
type View<S extends z.ZodType, F extends Shape, St extends z.ZodType> = { readonly metadata: ObjectMeta } & z.output<
  z.ZodObject<Fields<S, F>>
> &
  Status<St>;
