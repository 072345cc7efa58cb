import { Quantity } from "@kaji/core";
import type { Container, Node, Pod } from "@kaji/types/core/v1";
import { askedRequests, heldRequests } from "./held-requests.ts";
import type { ResourceTexts } from "./held-requests.ts";

/** How much of each resource: thousandths for `cpu`, units for all others. */
export type Amounts = ReadonlyMap<string, number>;

/** What a container that asks for nothing is taken to need when nodes are compared, so that such containers spread too. */
const presumed: ResourceTexts = { cpu: "100m", memory: "200Mi" };

/** What a pod asks for: of its containers and what runs before or beside them, or for the pod as a whole, with the overhead of its runtime. */
export function podRequests(pod: Pod): Amounts {
  return requestsOf(pod, askedRequests);
}

/** What a pod takes of its node, which is more than it asks for while it shrinks. */
export function takenRequests(pod: Pod): Amounts {
  return requestsOf(pod, heldRequests(pod));
}

/** What a pod is taken to need when nodes are compared. */
export function presumedRequests(pod: Pod): Amounts {
  const held = heldRequests(pod);
  return requestsOf(pod, (container) => ({ ...presumed, ...held(container) }));
}

/** What pods may use of a node. */
export function allocatableOf(node: Node): Amounts {
  return amounts(node.status?.allocatable);
}

/** Adds or, with a negative factor, takes away. */
export function addAmounts(totals: Map<string, number>, more: Amounts, factor = 1): void {
  for (const [name, amount] of more) totals.set(name, (totals.get(name) ?? 0) + factor * amount);
}

function requestsOf({ spec }: Pod, of: (container: Container) => ResourceTexts | undefined): Amounts {
  const totals = new Map<string, number>();
  for (const container of spec?.containers ?? []) addAmounts(totals, amounts(of(container)));
  raiseToInit(totals, spec?.initContainers ?? [], of);
  for (const [name, text] of Object.entries(spec?.resources?.requests ?? {})) totals.set(name, amountOf(name, text));
  addAmounts(totals, amounts(spec?.overhead));
  return totals;
}

/** Init containers run one after the other, so they count by the largest; those that go on running count beside all that start after them. */
function raiseToInit(
  totals: Map<string, number>,
  containers: readonly Container[],
  of: (container: Container) => ResourceTexts | undefined,
): void {
  const sidecars = new Map<string, number>();
  const largest = new Map<string, number>();
  for (const container of containers) {
    const own = amounts(of(container));
    const isSidecar = container.restartPolicy === "Always";
    if (isSidecar) addAmounts(totals, own);
    const running = new Map(sidecars);
    addAmounts(running, own);
    if (isSidecar) addAmounts(sidecars, own);
    raise(largest, running);
  }
  raise(totals, largest);
}

function raise(totals: Map<string, number>, least: Amounts): void {
  for (const [name, amount] of least) if (amount > (totals.get(name) ?? 0)) totals.set(name, amount);
}

function amounts(texts: ResourceTexts | undefined): Amounts {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, amountOf(name, text)]));
}

function amountOf(name: string, text: string): number {
  const quantity = Quantity.parse(text);
  return Number(name === "cpu" ? quantity.milliValue() : quantity.value());
}
