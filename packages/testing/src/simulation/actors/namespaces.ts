import { resourcePath } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { Namespace } from "@kaji/types/core/v1";
import type { Change, WorldState } from "../world-state.ts";
import type { Actor, Stage } from "./actor.ts";
import { servedKind } from "./served-kind.ts";
import type { PluralOf } from "./served-kind.ts";
import { unlessOutrun } from "./unless-outrun.ts";

const delayMs = 10;

/** Empties namespaces that are to go, and lets them go when there is nothing left in them, as in any cluster. */
export function namespaces(plural: PluralOf): Actor {
  const look = (namespace: Namespace | undefined, stage: Stage): void => {
    const { uid = "", deletionTimestamp } = namespace?.metadata ?? {};
    if (deletionTimestamp !== undefined) stage.later(uid, delayMs, () => clear(stage, stage.state.withUid(uid), plural));
  };
  return {
    name: "namespaces",
    react({ type, object, id }: Change, stage: Stage): void {
      const { namespace, name } = object.metadata;
      if (namespace !== undefined && type === "Deleted") look(stage.state.get(Namespace, namespace), stage);
      if (id === `Namespace ${name}` && type !== "Deleted") look(stage.state.get(Namespace, name), stage);
    },
  };
}

async function clear({ client, state }: Stage, namespace: DynamicObject | undefined, plural: PluralOf): Promise<void> {
  if (namespace === undefined) return;
  const { name } = namespace.metadata;
  const contents = contentsOf(state, name);
  for (const object of contents) {
    const kind = servedKind(object, plural);
    if (kind === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    await unlessOutrun(client.delete(kind, object.metadata, { propagationPolicy: "Background" }));
  }
  if (contents.length > 0) return;
  const path = resourcePath(Namespace, { name, subresource: "finalize" });
  await client.api.json({ method: "PUT", path, body: { ...namespace, spec: { finalizers: [] } } });
}

function contentsOf({ objects }: WorldState, namespace: string): readonly DynamicObject[] {
  return [...objects.values()].filter((object) => object.metadata.namespace === namespace);
}
