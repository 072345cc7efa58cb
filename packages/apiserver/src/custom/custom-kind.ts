import { formatApiVersion } from "@kaji/core";
import { byPreference } from "../discovery/api-resources.ts";
import type { Kind, KindVerb, KindVersion } from "../kind.ts";
import type { WriteGuard } from "../registry/write-guard.ts";
import type { ConversionCaller } from "../webhooks/conversion-webhook.ts";
import { storageVersionOf } from "./definition/crd.ts";
import type { CrdNames, CustomResourceDefinition } from "./definition/crd.ts";
import { CustomConversion } from "./custom-conversion.ts";
import { CustomVersion } from "./custom-version.ts";

/** All verbs, in the order in which the real server lists those of custom kinds. */
const customVerbs: readonly KindVerb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** What a custom kind needs to know beyond its definition. */
export interface CustomKindOptions {
  /** The names it was given, which are not all it asked for when others have them already. */
  readonly names: CrdNames;
  /** The revision at which its schemas last changed: objects written before are read by the new ones. */
  readonly changedAt?: number;
  /** Whether the definition is on its way out, so that there may be no new objects. */
  readonly isTerminating?: () => boolean;
  /** By what it may come to be served otherwise. */
  readonly definition?: WriteGuard;
  /** Makes its objects, if they are stored nowhere. */
  readonly compute?: KindVersion["compute"];
  /** Calls conversion webhooks. Without it, objects of a kind that needs one can only be had in the version in which they are kept. */
  readonly conversions?: ConversionCaller | undefined;
}

/** The kind that a definition defines. Schemas are compiled when they are first used. */
export function createCustomKind({ spec }: Pick<CustomResourceDefinition, "spec">, options: CustomKindOptions): Kind {
  const { names } = options;
  const { group, scope, versions } = spec;
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames = [], categories = [] } = names;
  const storageVersion = formatApiVersion({ group, version: storageVersionOf(spec)?.name ?? "" });
  const conversion = new CustomConversion({ ...spec, names }, options.conversions);
  const versionsThatAre = (served: boolean): readonly KindVersion[] =>
    versions
      .filter((version) => version.served === served)
      .toSorted((left, right) => byPreference(left.name, right.name))
      .map((version) => new CustomVersion({ version, spec: { ...spec, names }, conversion, ...options }));
  return {
    group,
    kind,
    plural,
    singular,
    listKind,
    scope,
    shortNames,
    categories,
    storagePrefix: `/registry/${group}/${plural}/`,
    storageVersion,
    isCustom: true,
    versions: versionsThatAre(true),
    unservedVersions: versionsThatAre(false),
    verbs: customVerbs,
    ...(options.definition === undefined ? {} : { definition: options.definition }),
    ...(conversion.remote === undefined ? { convertsByName: true } : { remoteConversion: conversion.remote }),
  };
}
