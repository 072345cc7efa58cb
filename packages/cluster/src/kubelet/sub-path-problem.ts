import type { Container, Pod, VolumeMount } from "@kaji/types/core/v1";
import { containerEnvironment } from "./processes/container-environment.ts";
import type { EnvironmentObjects } from "./processes/container-environment.ts";
import { expandVariables } from "./processes/variable-expansion.ts";

/** Why a part of a volume cannot be mounted whose path follows from a container's variables; undefined if all can. */
export function subPathProblem(pod: Pod, container: Container, objects: EnvironmentObjects): string | undefined {
  const mounts = (container.volumeMounts ?? []).filter(({ subPathExpr = "" }) => subPathExpr !== "");
  if (mounts.length === 0) return undefined;
  // A pod that has no address yet has one when its containers start: any will do to see that there is one.
  const status = { podIP: "0.0.0.0", ...pod.status };
  const variables = containerEnvironment({ ...pod, status }, container, objects, new Map());
  for (const mount of mounts) {
    const why = problemOf(mount, variables);
    if (why !== undefined) return why;
  }
  return undefined;
}

function problemOf({ subPathExpr = "" }: VolumeMount, variables: ReadonlyMap<string, string>): string | undefined {
  const named = [...subPathExpr.matchAll(/\$(?:\$|\((?<name>[^()]*)\))/g)].flatMap(({ groups }) => groups?.["name"] ?? []);
  const missing = new Set(named.filter((name) => (variables.get(name) ?? "") === ""));
  if (missing.size > 0) return `missing value for ${[...missing].toSorted((left, right) => (left < right ? -1 : 1)).join(", ")}`;
  const path = expandVariables(subPathExpr, variables);
  if (path.startsWith("/")) return `error SubPath \`${path}\` must not be an absolute path`;
  return path.split("/").includes("..") ? `unable to provision SubPath \`${path}\`: must not contain '..'` : undefined;
}
