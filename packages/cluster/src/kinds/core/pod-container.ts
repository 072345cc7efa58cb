import { badRequest } from "@kaji/core";
import type { Container, Pod } from "@kaji/types/core/v1";

/** The container of a pod that is meant; it need not be named if there is only one. Refuses what means none in the words of the server. */
export function containerOf({ metadata, spec }: Pod, name: string): Container {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const [only] = containers;
  if (name === "" && only !== undefined && containers.length === 1) return only;
  const all: readonly Container[] = [...initContainers, ...containers, ...ephemeralContainers];
  const found = all.find((container) => container.name === name);
  if (found !== undefined) return found;
  if (name !== "") throw badRequest(`container ${name} is not valid for pod ${metadata.name}`);
  const names = all.map((container) => container.name).join(" ");
  throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${names}]`);
}
