import { Quantity } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { Container, Node, Pod, ResourceFieldSelector } from "@kaji/types/core/v1";

/** What a field of a pod holds, as the downward API tells it to its containers. */
export function fieldValue({ metadata, spec, status }: Pod, path: string): string {
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return new Map(Object.entries(metadata[map === "labels" ? "labels" : "annotations"] ?? {})).get(key) ?? "";
  switch (path) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid ?? "";
    case "metadata.labels":
      return mapText(metadata.labels ?? {});
    case "metadata.annotations":
      return mapText(metadata.annotations ?? {});
    case "spec.nodeName":
      return spec?.nodeName ?? "";
    case "spec.serviceAccountName":
      return spec?.serviceAccountName ?? "";
    case "status.hostIP":
    case "status.hostIPs":
      return status?.hostIP ?? "";
    case "status.podIP":
    case "status.podIPs":
      return status?.podIP ?? "";
    default:
      return "";
  }
}

/** How much a container asks for or may take, in units of the divisor, rounded up; what has no limit may take what its node has. */
export function resourceValue(container: Container, node: Node | undefined, { resource, divisor = "1" }: ResourceFieldSelector): string {
  const [which, name = ""] = splitOnce(resource);
  const { requests, limits } = container.resources ?? {};
  const most = limits?.[name] ?? node?.status?.allocatable?.[name];
  const amount = Quantity.parse((which === "requests" ? requests?.[name] : most) ?? "0");
  const unit = Quantity.parse(divisor);
  const [amountMilli, unitMilli] = [amount.milliValue(), unit.isZero() ? 1000n : unit.milliValue()];
  return String((amountMilli + unitMilli - 1n) / unitMilli);
}

/** A line for each entry, sorted: `app="web"`. */
function mapText(map: Readonly<Record<string, string>>): string {
  const entries = Object.entries(map).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${quote(value)}`).join("\n");
}

/** `limits.ephemeral-storage` is the limit of `ephemeral-storage`. */
function splitOnce(resource: string): readonly string[] {
  const dot = resource.indexOf(".");
  return [resource.slice(0, dot), resource.slice(dot + 1)];
}
