import { isConditionTrue, structuralEqual } from "@kaji/core";
import { joinMessages, quote } from "@kaji/core/go";
import { approvalOf } from "./api-approval.ts";
import { isCaBundle } from "./conversion-validation.ts";
import { withCondition } from "./crd-conditions.ts";
import type { CrdCondition } from "./crd-conditions.ts";
import type { CrdNames, CrdStatus, CustomResourceDefinition } from "./crd.ts";

/** The names that other definitions of a group have. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and the kinds of their lists. */
  readonly kinds: ReadonlySet<string>;
}

/** The names of definitions, as others must not use them. */
export function takenNames(accepted: Iterable<CrdNames>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { plural, singular = "", shortNames = [], kind, listKind = "" } of accepted) {
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  return { resources, kinds };
}

/**
 * The status of a definition once its names have been looked at: those that are free are given to it, and with all of them it is established.
 * The very same status if there is nothing to change.
 */
export function nextStatus(crd: CustomResourceDefinition, taken: TakenNames, nowMs: number): CrdStatus {
  const { spec, status: current = { acceptedNames: { plural: "", kind: "" } } } = crd;
  const named = structuralEqual(spec.names, current.acceptedNames) ? current : withNames(current, spec.names, taken, nowMs);
  const approval = approvalCondition(crd);
  const approved = approval === undefined ? named : withCondition(named, approval, nowMs);
  const conditions = approved.conditions ?? [];
  if (!isConditionTrue(conditions, "NamesAccepted") || isConditionTrue(conditions, "Established")) return approved;
  const hasCaBundle = isCaBundle(spec.conversion?.webhook?.clientConfig?.caBundle ?? "");
  return withCondition(approved, hasCaBundle ? established : invalidCaBundle, nowMs);
}

/** Whether objects of a definition are served: as soon as it has its names, and from then on. */
export function isServed({ conditions }: CrdStatus): boolean {
  return isConditionTrue(conditions ?? [], "NamesAccepted") || isConditionTrue(conditions ?? [], "Established");
}

function withNames(status: CrdStatus, wanted: CrdNames, taken: TakenNames, nowMs: number): CrdStatus {
  const { names, conflict } = acceptNames(wanted, status.acceptedNames, taken);
  const accepted: CrdCondition =
    conflict === undefined
      ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
      : { type: "NamesAccepted", status: "False", ...conflict };
  const next = withCondition(structuralEqual(status.acceptedNames, names) ? status : { ...status, acceptedNames: names }, accepted, nowMs);
  const isNew = !(next.conditions ?? []).some(({ type }) => type === "Established");
  return isNew && conflict !== undefined ? withCondition(next, notAccepted, nowMs) : next;
}

const approvalReasons = {
  Approved: "ApprovedAnnotation",
  Bypassed: "UnapprovedAnnotation",
  Missing: "MissingAnnotation",
  Invalid: "InvalidAnnotation",
} as const;

function approvalCondition(crd: CustomResourceDefinition): CrdCondition | undefined {
  const approval = approvalOf(crd);
  if (approval === undefined) return undefined;
  const { state, message } = approval;
  const type = "KubernetesAPIApprovalPolicyConformant";
  return { type, status: state === "Approved" ? "True" : "False", reason: approvalReasons[state], message };
}

const established: CrdCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

const notAccepted: CrdCondition = { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };

const invalidCaBundle: CrdCondition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Each name that is free, or its own already, is accepted; of several conflicts the last is told. */
function acceptNames(
  wanted: CrdNames,
  before: CrdNames,
  { resources, kinds }: TakenNames,
): { readonly names: CrdNames; readonly conflict: Conflict | undefined } {
  let names: CrdNames = before;
  let conflict: Conflict | undefined;
  const single = (field: "plural" | "singular" | "kind" | "listKind", taken: ReadonlySet<string>, reason: string): void => {
    const name = wanted[field] ?? "";
    if (name !== (before[field] ?? "") && taken.has(name)) conflict = { reason, message: inUse(name) };
    else names = { ...names, [field]: name };
  };
  single("plural", resources, "PluralConflict");
  single("singular", resources, "SingularConflict");
  const { shortNames = [] } = wanted;
  const clashes = shortNames.filter((name) => before.shortNames?.includes(name) !== true && resources.has(name)).map(inUse);
  if (clashes.length === 0) names = withList(names, "shortNames", shortNames);
  else conflict = { reason: "ShortNamesConflict", message: joinMessages(clashes) };
  single("kind", kinds, "KindConflict");
  single("listKind", kinds, "ListKindConflict");
  return { names: withList(names, "categories", wanted.categories ?? []), conflict };
}

function withList(names: CrdNames, field: "shortNames" | "categories", list: readonly string[]): CrdNames {
  const { [field]: _before, ...rest } = names;
  return list.length === 0 ? rest : { ...rest, [field]: list };
}

function inUse(name: string): string {
  return `${quote(name)} is already in use`;
}
