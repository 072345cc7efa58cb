import { Quantity, findCondition } from "@kaji/core";
import type { Container, ContainerStatus, Pod } from "@kaji/types/core/v1";

/** How much of each resource, as objects have it. */
export type ResourceTexts = Readonly<Record<string, string>>;

/**
 * What each container of a pod takes of its node: while a pod is resized the largest of what it asks for, what its node has promised it and what it has. One that shrinks has not given back anything
 * yet, and one that grows may be given it at any time; unless its node can never, then it stays as it is.
 */
export function heldRequests(pod: Pod): (container: Container) => ResourceTexts | undefined {
  if (!isResizing(pod)) return askedRequests;
  const isInfeasible = findCondition(pod.status?.conditions, "PodResizePending")?.reason === "Infeasible";
  return (container) => {
    const given = givenTo(container, pod);
    if (given.length === 0) return askedRequests(container);
    return largest(isInfeasible ? given : [askedRequests(container) ?? {}, ...given]);
  };
}

/** Whether a container has, or was promised, something else than it asks for. */
export function isResizing(pod: Pod): boolean {
  const differs = (container: Container): boolean =>
    givenTo(container, pod).some((given) => Object.entries(given).some(([name, text]) => container.resources?.requests?.[name] !== text));
  return [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].some(differs);
}

/** What a container asks for. */
export function askedRequests({ resources }: Container): ResourceTexts | undefined {
  return resources?.requests;
}

/** What its node says of a container that goes on running; init containers that end are not resized. */
function givenTo(container: Container, { spec, status }: Pod): readonly ResourceTexts[] {
  const isInit = spec?.initContainers?.includes(container) === true;
  if (isInit && container.restartPolicy !== "Always") return [];
  const statuses: readonly ContainerStatus[] = (isInit ? status?.initContainerStatuses : status?.containerStatuses) ?? [];
  const known = statuses.find(({ name }) => name === container.name);
  return known?.resources === undefined ? [] : [known.resources.requests ?? {}, known.allocatedResources ?? {}];
}

function largest(all: readonly ResourceTexts[]): ResourceTexts {
  const found: Record<string, string> = {};
  for (const [name, text] of all.flatMap((texts) => Object.entries(texts))) {
    const known = found[name];
    if (known === undefined || Quantity.parse(text).compare(Quantity.parse(known)) > 0) found[name] = text;
  }
  return found;
}
