import { structuralEqual } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import type { ControllerRevision } from "@kaji/types/apps/v1";
import type { PodTemplateSpec } from "@kaji/types/core/v1";

/** What a revision keeps of its owner: a strategic merge patch that brings the template back, its fields in the order in which Go writes them, since clients compare bytes. */
export function templateData(template: PodTemplateSpec): NonNullable<ControllerRevision["data"]> {
  return { spec: { template: sorted({ ...template, $patch: "replace" }) } };
}

/** The template that a revision keeps. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { $patch: _patch, ...template } = (data as RevisionData | undefined)?.spec?.template ?? {};
  return template;
}

/** Whether a revision keeps this template. */
export function keeps(revision: ControllerRevision, template: PodTemplateSpec): boolean {
  return structuralEqual(templateOf(revision), template);
}

/** The value with the fields of all objects in it sorted, and without those that are undefined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.toSorted(([left], [right]) => compareGoStrings(left, right)).map(([key, field]) => [key, sorted(field)]),
  );
}

interface RevisionData {
  readonly spec?: { readonly template?: PodTemplateSpec & { readonly $patch?: string } };
}
