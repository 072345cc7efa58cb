import { structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import { roleOf } from "./bootstrap-policy.ts";
import { clusterRoles } from "./cluster-roles.ts";
import { parsePolicy } from "./policy-text.ts";
import type { RoleDraft } from "./policy-text.ts";

let roles: readonly DynamicObject[] | undefined;

/** The ClusterRoles of a new cluster that are meant for people, `admin`, `cluster-admin`, `edit` and `view`, with the rules that they gather: for a server that has no controller to gather them. */
export function userFacingRoles(): readonly DynamicObject[] {
  return (roles ??= readRoles());
}

function readRoles(): readonly DynamicObject[] {
  const drafts = parsePolicy(clusterRoles).toSorted((left, right) => compareGoStrings(left.name, right.name));
  return drafts.filter(({ name }) => !name.startsWith("system:")).map((draft) => ({ ...roleOf(draft), rules: gathered(draft, drafts) }));
}

/** As aggregation does it: the rules of the roles that are selected, in the order of their names, each rule once. */
function gathered({ gathers, rules }: RoleDraft, all: readonly RoleDraft[]): readonly JsonObject[] {
  if (gathers.length === 0) return rules;
  const selected = gathers.flatMap((label) => all.filter(({ labels }) => labels.includes(label)));
  const found = selected.flatMap((draft) => gathered(draft, all));
  return found.filter((rule, index) => found.findIndex((other) => structuralEqual(other, rule)) === index);
}
