import { stringify } from "yaml";
import type { DynamicObject } from "@kaji/core";
import type { ClusterModel } from "../model/cluster-model.ts";
import type { Entry } from "../model/kind-table.ts";
import { containerLines } from "../model/container-lines.ts";
import { conditionLines } from "../model/object-health.ts";
import type { ObjectTree } from "../model/object-tree.ts";
import type { EventLine, ObjectDetail } from "../page/live-message.ts";

const mostEvents = 50;

/** All that a page shows of an object. */
export function detailOf(
  model: ClusterModel,
  { entry, object, tree }: { readonly entry: Entry; readonly object: DynamicObject; readonly tree: ObjectTree },
): ObjectDetail {
  const { state, why, created } = entry.row;
  return {
    ...model.nameOf(entry),
    state,
    why,
    created,
    tree: tree.root,
    conditions: conditionLines(object),
    events: eventsOf(model, entry, tree.below),
    yaml: yamlOf(object),
    containers: containerLines(object),
  };
}

/** Events about the chosen object, which need not be one that is kept, and any of these, the newest first. */
function eventsOf(model: ClusterModel, chosen: Entry, uids: ReadonlySet<string>): readonly EventLine[] {
  const events = [...uids].flatMap((uid) => {
    const entry = uid === chosen.uid ? chosen : model.entry(uid);
    return entry === undefined ? [] : model.events.of(uid).map((text) => ({ ...text, about: model.nameOf(entry) }));
  });
  // Most have times in whole seconds: of those that are equal the last that was told is the newest.
  return events
    .toReversed()
    .sort(({ last: left = "" }, { last: right = "" }) => (left < right ? 1 : left > right ? -1 : 0))
    .slice(0, mostEvents);
}

/** The object as kubectl writes it, in YAML 1.1, which it also reads: who manages which field is left out. */
function yamlOf(object: DynamicObject): string {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return stringify({ ...object, metadata }, { lineWidth: 0, aliasDuplicateObjects: false, version: "1.1", directives: false });
}
