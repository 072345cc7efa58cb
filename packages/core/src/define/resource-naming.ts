import { dns1035LabelErrors, dns1123SubdomainErrors } from "../object/names.ts";
import type { NameErrors } from "../object/names.ts";
import type { Scope } from "../object/resource.ts";
import type { Problem } from "./definition-error.ts";
import { pluralOf } from "../object/plural.ts";

/** What a resource is called and where its objects live. */
export interface Naming<G extends string, V extends string, K extends string> {
  /** A domain of yours, or one below it: `storage.example.com`. */
  readonly group: G;
  /** The version that this program reads and writes: `v1alpha1`, `v1beta1`, `v1`. */
  readonly version: V;
  /** In CamelCase and singular: `Backup`. */
  readonly kind: K;
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  /** Default: the English plural of the kind. */
  readonly plural?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** For `kubectl get`, such as `po` for pods. */
  readonly shortNames?: readonly string[];
  /** Groups of kinds that `kubectl get` lists together, such as `all`. */
  readonly categories?: readonly string[];
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What those may do with its objects who have the cluster's own roles: `view` for what the operator makes itself, `none` for what only a few may see. Default `edit`. */
  readonly userAccess?: UserAccess;
}

/** What the cluster's own roles have of a resource: `admin`, `edit` and `view` their part of it, all of them reading alone, or nothing. */
export type UserAccess = "edit" | "view" | "none";

/** The same with everything filled in. */
export interface FullNaming extends Required<Naming<string, string, string>> {
  readonly listKind: string;
}

/** Groups of the Kubernetes project itself: its API reviewers must have agreed to what is in them. */
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
const approval = "api-approved.kubernetes.io";

/** Fills in the names that follow from others; reports those that a server would refuse. */
export function fullNaming(naming: Naming<string, string, string>, problems: Problem[]): FullNaming {
  const { kind } = naming;
  const full: FullNaming = {
    scope: "Namespaced",
    plural: pluralOf(kind.toLowerCase()),
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    annotations: {},
    userAccess: "edit",
    ...naming,
    listKind: `${kind}List`,
  };
  const { group, plural, singular, shortNames, categories, annotations } = full;
  const report = (path: string, value: string, errors: NameErrors): void => {
    for (const error of errors) problems.push({ path, message: `"${value}" is not possible: ${error}` });
  };
  report("group", group, groupErrors(group));
  if (protectedGroup.test(group) && !Object.hasOwn(annotations, approval)) {
    const remedy = `use a domain of yours, or annotations: { "${approval}": "unapproved, experimental-only" }`;
    problems.push({ path: "group", message: `"${group}" belongs to the Kubernetes project; ${remedy}` });
  }
  report("kind", kind, dns1035LabelErrors(kind.toLowerCase()));
  report("plural", plural, dns1035LabelErrors(plural));
  report("singular", singular, dns1035LabelErrors(singular));
  for (const name of shortNames) report("shortNames", name, dns1035LabelErrors(name));
  for (const name of categories) report("categories", name, dns1035LabelErrors(name));
  return full;
}

function groupErrors(group: string): NameErrors {
  const errors = dns1123SubdomainErrors(group);
  return errors.length === 0 && !group.includes(".") ? ["it must be a domain with at least one dot"] : errors;
}
