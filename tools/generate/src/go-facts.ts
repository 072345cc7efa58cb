import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** What the Go program beside this one says about the structs behind the built-in kinds. */
export interface GoFacts {
  readonly kinds: readonly GoKind[];
  /** By qualified name, such as `k8s.io/api/core/v1.Pod`. */
  readonly structs: Readonly<Record<string, readonly GoField[]>>;
}

/** Which struct holds the objects of a kind. */
export interface GoKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly struct: string;
}

/** A field as its Go type and tags describe it. */
export interface GoField {
  readonly goName: string;
  readonly name?: string;
  readonly number?: number;
  readonly type: GoType;
  readonly pointer?: boolean;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly inline?: boolean;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The type as Go prints it, where a named type that is not a struct is part of it. */
  readonly goType?: string;
}

/** A Go type: one of `scalar`, `list`, `map` and `struct` is set. */
export interface GoType {
  readonly scalar?: string;
  readonly list?: GoType;
  readonly map?: GoType;
  readonly struct?: string;
  /** The name of a type that is not a struct. */
  readonly alias?: string;
  /** A named list that is a message of its own on the protobuf wire. */
  readonly message?: boolean;
  /** Writes its own JSON. */
  readonly opaque?: boolean;
}

/** Allowed values by qualified struct name and JSON name. */
export type GoEnums = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const program = join(import.meta.dirname, "../go");

export function readGoStructs(): GoFacts {
  return go(["run", ".", "structs"]) as GoFacts;
}

/** From the OpenAPI definitions that the server of this module is compiled from. */
export function readGoEnums(kubernetes: string): GoEnums {
  return go(["run", ".", "enums", join(kubernetes, "pkg/generated/openapi/zz_generated.openapi.go")]) as GoEnums;
}

/** The folder of Kubernetes itself in the module cache, in the version that belongs to the libraries the Go program is built on. */
export function kubernetesFolder(): { readonly version: string; readonly folder: string } {
  const { Version: library } = go(["list", "-m", "-json", "k8s.io/client-go"]) as { readonly Version: string };
  const version = library.replace(/^v0\./, "v1.");
  const { Dir: folder } = go(["mod", "download", "-json", `k8s.io/kubernetes@${version}`]) as { readonly Dir: string };
  return { version, folder };
}

function go(args: readonly string[]): unknown {
  try {
    return JSON.parse(
      execFileSync("go", args, { cwd: program, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "inherit"] }),
    );
  } catch (cause) {
    throw new Error(`"go ${args.join(" ")}" failed; generating needs Go, the generated files do not`, { cause });
  }
}
