import type { DownwardAPIVolumeFile, KeyToPath, Pod, SecretVolumeSource, Volume, VolumeProjection } from "@kaji/types/core/v1";
import { fieldValue, resourceValue } from "./field-value.ts";
import { configMapBytes, secretBytes } from "./object-bytes.ts";
import type { PodObjects } from "./pod-objects.ts";

/** A file in a volume. */
export interface VolumeFile {
  /** Relative to the volume. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** What volumes are made of. */
export interface VolumeContents {
  readonly pod: Pod;
  readonly objects: PodObjects;
  /** Tokens of the pod's service account, by `tokenKey`: they are issued once, before the pod starts. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Under which key the token of a volume's source is kept. */
export function tokenKey(volume: string, path: string): string {
  return `${volume}/${path}`;
}

/** The files of a volume that shows objects; undefined for one that begins empty and is written to. Of two files of one path the later one counts. */
export function volumeFiles(volume: Volume, contents: VolumeContents): readonly VolumeFile[] | undefined {
  const { name, configMap, secret, downwardAPI, projected } = volume;
  const { defaultMode = 0o644 } = configMap ?? secret ?? downwardAPI ?? projected ?? {};
  const sources = projected?.sources ?? [sourceOf(configMap, secret, downwardAPI)].filter((source) => source !== undefined);
  if (projected === undefined && sources.length === 0) return undefined;
  const files = sources.flatMap((source) => sourceFiles(source, name, contents));
  return files.map(({ path, bytes, mode = defaultMode }) => ({ path, bytes, mode }));
}

function sourceOf(
  configMap: VolumeProjection["configMap"],
  secret: SecretVolumeSource | undefined,
  downwardAPI: VolumeProjection["downwardAPI"],
): VolumeProjection | undefined {
  if (configMap !== undefined) return { configMap };
  if (downwardAPI !== undefined) return { downwardAPI };
  return secret === undefined ? undefined : { secret: { name: secret.secretName ?? "", items: secret.items ?? [] } };
}

interface SourceFile extends Omit<VolumeFile, "mode"> {
  /** Default that of the volume. */
  readonly mode?: number | undefined;
}

function sourceFiles(source: VolumeProjection, volume: string, contents: VolumeContents): readonly SourceFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  const { pod, objects, tokens } = contents;
  const { namespace = "" } = pod.metadata;
  if (configMap !== undefined) return chosen(configMapBytes(objects.configMap(namespace, configMap.name ?? "")), configMap.items);
  if (secret !== undefined) return chosen(secretBytes(objects.secret(namespace, secret.name ?? "")), secret.items);
  if (downwardAPI !== undefined) return (downwardAPI.items ?? []).map((item) => downwardFile(item, contents));
  if (serviceAccountToken === undefined) return [];
  const { path } = serviceAccountToken;
  return [{ path, bytes: Buffer.from(tokens.get(tokenKey(volume, path)) ?? "") }];
}

/** All keys under their own names, or those that are asked for under the names they are given. */
function chosen(data: ReadonlyMap<string, Uint8Array>, items: readonly KeyToPath[] = []): readonly SourceFile[] {
  if (items.length === 0) return [...data].map(([path, bytes]) => ({ path, bytes }));
  return items.flatMap(({ key, path, mode }) => {
    const bytes = data.get(key);
    return bytes === undefined ? [] : [{ path, bytes, mode }];
  });
}

function downwardFile({ path, fieldRef, resourceFieldRef, mode }: DownwardAPIVolumeFile, { pod, objects }: VolumeContents): SourceFile {
  if (fieldRef !== undefined) return { path, bytes: Buffer.from(fieldValue(pod, fieldRef.fieldPath)), mode };
  const { initContainers = [], containers = [], nodeName = "" } = pod.spec ?? {};
  const container = [...initContainers, ...containers].find(({ name }) => name === resourceFieldRef?.containerName);
  const text =
    container === undefined || resourceFieldRef === undefined ? "" : resourceValue(container, objects.node(nodeName), resourceFieldRef);
  return { path, bytes: Buffer.from(text), mode };
}
