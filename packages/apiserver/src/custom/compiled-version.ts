import { customObjectSchema } from "../apply/custom-object-schema.ts";
import type { MergeSchema } from "../apply/merge-schema.ts";
import type { Column } from "../kind.ts";
import type { CrdVersion } from "./definition/crd.ts";
import { printerColumns } from "./printer-columns.ts";
import { CustomSchema } from "./schema/custom-schema.ts";
import type { JsonSchemaProps } from "./schema/structural-schema.ts";
import { CustomValidation } from "./value/custom-validation.ts";

/** What follows from one version of a definition alone. A server may have hundreds that are never used, so its parts are made on first use. */
export class CompiledVersion {
  readonly #version: CrdVersion;
  #schema: CustomSchema | undefined;
  #mergeSchema: MergeSchema | undefined;
  #columns: readonly Column[] | undefined;
  #validation: CustomValidation | undefined;

  constructor(version: CrdVersion) {
    this.#version = version;
  }

  get openapi(): JsonSchemaProps {
    return this.#version.schema?.openAPIV3Schema ?? {};
  }

  get schema(): CustomSchema {
    return (this.#schema ??= new CustomSchema(this.openapi));
  }

  get mergeSchema(): MergeSchema {
    return (this.#mergeSchema ??= customObjectSchema(this.openapi));
  }

  get columns(): readonly Column[] {
    return (this.#columns ??= printerColumns(this.#version.additionalPrinterColumns));
  }

  get validation(): CustomValidation {
    const { scale } = this.#version.subresources ?? {};
    return (this.#validation ??= new CustomValidation({ schema: this.openapi, node: this.schema.node, scale }));
  }
}

/** Servers on forks of one storage have the very same definitions, of which each version is compiled once. */
const known = new WeakMap<CrdVersion, CompiledVersion>();

/** A version of a definition, compiled. */
export function compiledVersion(version: CrdVersion): CompiledVersion {
  let compiled = known.get(version);
  if (compiled === undefined) known.set(version, (compiled = new CompiledVersion(version)));
  return compiled;
}
