import { Selector, selectorOf } from "@kaji/core";
import type { FieldSelector, LabelSelector } from "@kaji/core";
import type { Query } from "./query.ts";

/** Which objects of a kind are meant. */
export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** As text, such as `app=web,tier in (a,b)`, or as API objects have it. Default: whatever the labels. */
  readonly labelSelector?: string | LabelSelector | Selector | undefined;
  /** Such as `metadata.name=web`. Default: whatever the fields. */
  readonly fieldSelector?: string | FieldSelector | undefined;
}

/** The parameters of a selection; the namespace is part of the path. */
export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector: nonEmpty(labelText(labelSelector)), fieldSelector: nonEmpty(fieldSelector?.toString()) };
}

/** What is selected, as people write it: `app=web`, `app=web and status.phase=Failed`; undefined if all objects are. */
export function selectionText(selection: Selection): string | undefined {
  const { labelSelector, fieldSelector } = selectionQuery(selection);
  return nonEmpty([labelSelector, fieldSelector].filter((text) => text !== undefined).join(" and "));
}

function labelText(selector: Selection["labelSelector"]): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector;
  const compiled = selectorOf(selector);
  // As text it would be empty and select everything: deleting nothing would become deleting a whole collection.
  if (compiled === Selector.nothing) throw new TypeError("labelSelector selects nothing, which no request can say: send none");
  return compiled.toString();
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
