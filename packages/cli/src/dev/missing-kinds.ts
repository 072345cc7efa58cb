import { formatApiVersion, formatKind, isReason, withGroup } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import type { ClusterSession } from "../cluster-session.ts";

/** The kinds that the controllers of an operator cannot do without, each once. */
export function neededKinds({ controllers }: Pick<OperatorDefinition, "controllers">): readonly Resource[] {
  const needed = controllers.flatMap(({ resource, owns, watches }) => [
    resource,
    ...[...owns, ...watches].filter(({ optional = false }) => !optional).map((each) => each.resource),
  ]);
  // `*` stands for all kinds, of which none is needed.
  return [...new Map(needed.filter(({ plural }) => plural !== "*").map((resource) => [formatKind(resource), resource])).values()];
}

/** Those of some kinds that the cluster does not serve in their version. It is asked as the operator asks: what is known of its kinds from before may have changed. */
export async function missingKinds(
  { client, signal }: Pick<ClusterSession, "client" | "signal">,
  kinds: readonly Resource[],
): Promise<readonly Resource[]> {
  const looked = await Promise.all(
    kinds.map(async (resource) => {
      try {
        await client.list(resource, { limit: 1, signal });
        return [];
      } catch (error) {
        if (isReason(error, "NotFound", "MethodNotAllowed")) return [resource];
        throw error;
      }
    }),
  );
  return looked.flat();
}

/** `policies.example.com in example.com/v1 and …`. */
export function namesOf(kinds: readonly Resource[]): string {
  return kinds.map((kind) => `${withGroup(kind.plural, kind.group)} in ${formatApiVersion(kind)}`).join(" and ");
}
