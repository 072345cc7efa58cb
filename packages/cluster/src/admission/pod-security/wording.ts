import type { JsonObject } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import type { CheckedContainer, CheckedPod } from "./checked-pod.ts";

/** `"a", "b"`: nothing in the texts is escaped. */
export function quotedList(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

/** The word for one, or that for several. */
export function plural(one: string, several: string, count: number): string {
  return count === 1 ? one : several;
}

/** `containers "a", "b"` */
export function containersText(containers: readonly CheckedContainer[]): string {
  return `${plural("container", "containers", containers.length)} ${quotedList(containers.map(({ name }) => name))}`;
}

/** Who says in their security context what is bad, each as a text: `pod`, `containers "a", "b"`. */
export function setters({ security, containers }: CheckedPod, isBad: (security: JsonObject) => boolean): readonly string[] {
  const bad = containers.filter((container) => isBad(container.security));
  return [...(isBad(security) ? ["pod"] : []), ...(bad.length === 0 ? [] : [containersText(bad)])];
}

/** Values in the order of Go, each once. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted(compareGoStrings);
}
