/** Whether Kubernetes itself has a kind of this name, in whichever group. */
export async function isBuiltInKind(name: string): Promise<boolean> {
  const { apiGroups } = await import("@kaji/types/tables");
  return apiGroups().some(({ versions }) => versions.some(({ resources }) => resources.some(({ kind }) => kind === name)));
}

/** Where a project imports a kind of Kubernetes itself from, such as `kaji/apps/v1`; undefined if Kubernetes has no such kind. */
export async function builtInModule(group: string, version: string, kind: string): Promise<string | undefined> {
  const [first = ""] = group.split(".");
  if (group.includes(".") && !group.endsWith(".k8s.io")) return undefined;
  const place = `${first === "" ? "core" : first}/${version}`;
  try {
    const module: object = await import(`@kaji/types/${place}`);
    return Object.hasOwn(module, kind) ? `kaji/${place}` : undefined;
  } catch {
    return undefined;
  }
}
