import { withGroup } from "@kaji/core";
import type { Resource } from "@kaji/core";
import { isOfAnyKind } from "@kaji/runtime";
import type { Controller, Owned, Used, Watched } from "@kaji/runtime";
import type { RequestTarget } from "./simulation/request-target.ts";

/** Something that a controller declares, and that nothing it did has needed. */
export interface UnusedGrant {
  readonly controller: string;
  /** Where it is declared. */
  readonly field: "owns" | "selfVerbs" | "uses" | "watches";
  /** The plural of the kind, with its group if it has one. */
  readonly resource: string;
  readonly verbs: readonly string[];
}

/**
 * What of its grants an operator has used: in one cluster, or in all that are given it.
 * What comes with looking after a kind or mirroring it is no choice of the author's and not counted; children count as one grant, to write them.
 */
export class GrantUse {
  readonly #used = new Set<string>();

  /** Takes note of a request that was allowed. */
  note({ verb, group, plural, subresource }: RequestTarget): void {
    this.#used.add(useOf(subresource === undefined ? verb : `${verb}/${subresource}`, { group, plural }));
    // Commands are run by a GET, for which `create` is needed too, and declared.
    if (subresource === "exec") this.#used.add(useOf("create/exec", { group, plural }));
  }

  /** The declarations of controllers that were never needed. */
  unused(controllers: readonly Controller[]): readonly UnusedGrant[] {
    return controllers.flatMap((controller) => this.#unusedOf(controller));
  }

  #unusedOf({ name, resource: own, owns, watches, uses, selfVerbs }: Controller): readonly UnusedGrant[] {
    const grant = (field: UnusedGrant["field"], resource: Resource, verbs: readonly string[]): readonly UnusedGrant[] => {
      const unused = verbs.filter((verb) => !this.#used.has(useOf(verb, resource)));
      return unused.length === 0 ? [] : [{ controller: name, field, resource: withGroup(resource.plural, resource.group), verbs: unused }];
    };
    const declared = [own, ...[...owns, ...watches, ...uses].map((each) => each.resource)];
    const onOthers = (verb: string): boolean => {
      const told = new Set(declared.map((resource) => useOf(verb, resource)));
      return [...this.#used].some((each) => each.startsWith(`${verb} `) && !told.has(each));
    };
    const isWritten = (child: Owned): boolean =>
      childVerbs.some((verb) => (isOfAnyKind(child) ? onOthers(verb) : this.#used.has(useOf(verb, child.resource))));
    /** Those of any kind are used where one of a kind is that is not declared by its name. */
    const chosen = (entry: Used | Watched): readonly string[] =>
      isOfAnyKind(entry) ? entry.verbs.filter((verb) => !onOthers(verb)) : entry.verbs;
    return [
      ...grant("selfVerbs", own, selfVerbs),
      ...owns.flatMap((child) => grant("owns", child.resource, [...(isWritten(child) ? [] : childVerbs), ...child.verbs])),
      ...watches.flatMap((watched) => grant("watches", watched.resource, chosen(watched))),
      ...uses.flatMap((used) => grant("uses", used.resource, chosen(used))),
    ];
  }
}

/** What owning a kind is for. */
const childVerbs: readonly string[] = ["create", "patch", "delete"];

function useOf(verb: string, { group, plural }: Pick<Resource, "group" | "plural">): string {
  return `${verb} ${plural}.${group}`;
}
