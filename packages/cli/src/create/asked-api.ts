import type { WantedApi } from "./api-change.ts";
import type { Answers } from "./answers.ts";
import { builtInModule } from "./built-in-kind.ts";
import { groupProblem, versionProblem } from "./name-problems.ts";
import { findProjectKinds } from "./project-kind.ts";

/** How a command asks for the group and the version of a kind. */
export interface ApiQuestions {
  readonly group: { readonly question: string; readonly initial?: string | undefined };
  readonly version: string;
}

/** Gets to know the rest of a kind that is to have a controller: one of Kubernetes itself, one that the project in the folder has from another operator, or a custom resource. */
export async function askedApi(
  answers: Answers,
  { kind, folder }: { readonly kind: string; readonly folder: string },
  questions: ApiQuestions,
): Promise<WantedApi> {
  const known = findProjectKinds(folder, kind);
  const [first, ...others] = known;
  const group = await answers.text({
    ...questions.group,
    ...(first?.isExternal === true && others.length === 0 ? { initial: first.group } : {}),
    option: "group",
    problemOf: (text) => (isBuiltInGroup(text) ? undefined : groupProblem(text)),
  });
  const external = known.find((each) => each.isExternal && each.group === group);
  const initial = external?.version ?? "v1alpha1";
  const version = await answers.text({ option: "version", question: questions.version, initial, problemOf: versionProblem });
  const module = await builtInModule(group, version, kind);
  if (module !== undefined) return { kind, group, version, scope: "Namespaced", module };
  if (external !== undefined) return { kind, group, version, scope: external.scope, module };
  if (isBuiltInGroup(group)) throw new UnknownKindError(kind, group, version);
  const scope = await answers.choice("scope", "In namespaces, or of the whole cluster?", ["Namespaced", "Cluster"]);
  return { kind, group, version, scope, module };
}

/** Groups that only Kubernetes itself may have. */
function isBuiltInGroup(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

class UnknownKindError extends Error {
  override readonly name = "UnknownKindError";

  constructor(kind: string, group: string, version: string) {
    super(
      `Kubernetes has no ${kind} in ${group === "" ? version : `${group}/${version}`}; a kind of your own needs a domain of yours as its group`,
    );
  }
}
