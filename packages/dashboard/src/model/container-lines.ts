import type { DynamicObject } from "@kaji/core";
import type { ContainerStatus, Pod } from "@kaji/types/core/v1";
import type { ContainerLine } from "../page/live-message.ts";

/** The containers of a Pod, the main ones first; none of what is no Pod. */
export function containerLines(object: DynamicObject): readonly ContainerLine[] {
  if (!isPod(object)) return [];
  const { spec, status } = object;
  const statuses = [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses].flatMap(
    (each) => each ?? [],
  );
  const runs = new Map(statuses.map((each) => [each.name, each]));
  const containers = [spec?.containers, spec?.initContainers, spec?.ephemeralContainers].flatMap((each) => each ?? []);
  return containers.map(({ name }) => ({ name, ...runsOf(runs.get(name)) }));
}

/** While a container waits to be run again, its log is that of its last run. */
function runsOf({ state, lastState }: Partial<ContainerStatus> = {}): Omit<ContainerLine, "name"> {
  const previousRun = lastState?.terminated?.startedAt;
  return { run: state?.running?.startedAt ?? state?.terminated?.startedAt ?? previousRun, previousRun };
}

function isPod(object: DynamicObject): object is DynamicObject & Pod {
  return object.apiVersion === "v1" && object.kind === "Pod";
}
