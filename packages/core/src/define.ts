import * as k from "./define/k.ts";

export type { CrdColumn, CrdNames, CrdScale, CrdVersion, CustomResourceDefinition } from "./define/custom-resource-definition.ts";
export type { DeepReadonly } from "./define/deep-readonly.ts";
export { defineResource } from "./define/define-resource.ts";
export type { ResourceDefinition, ResourceOptions } from "./define/define-resource.ts";
export type { DefinedVersion } from "./define/defined-version.ts";
export { DefinitionError } from "./define/definition-error.ts";
export type { Problem } from "./define/definition-error.ts";
export { quantityPattern } from "./define/quantity-pattern.ts";
export type { UserAccess } from "./define/resource-naming.ts";
export { SampleError, sampleValue } from "./define/sample.ts";
export type { SamplePlace } from "./define/sample.ts";
export type { StructuralSchema, ValidationRule } from "./define/structural-schema.ts";
export type { DefinedObject, NameLimits, VersionOptions } from "./define/version-options.ts";
export { z } from "zod";
export { k };
