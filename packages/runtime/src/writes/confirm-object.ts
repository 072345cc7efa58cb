import type { KubeObject, Resource } from "@kaji/core";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import { isAbsence, observeAbsence } from "./absence.ts";
import type { WriteAddress } from "./write-address.ts";

/** What is asked, and what is told of it. */
type ServerAndCache = Pick<ControllerEnvironment, "client" | "informers">;

/** The object as the server has it, which cache reads see from now on; undefined if it is gone. */
export async function confirmObject<C extends KubeObject>(
  { client, informers }: ServerAndCache,
  resource: Resource<C>,
  address: WriteAddress,
  signal: AbortSignal,
): Promise<C | undefined> {
  try {
    const found = await client.get(resource, address, { signal });
    informers.observeWrite(found);
    return found;
  } catch (error) {
    if (!isAbsence(error, address)) throw error;
    observeAbsence(informers, resource, address);
    return undefined;
  }
}

/** Lets cache reads see every object whose name the server has made up from `generateName`. */
export async function confirmGenerated(
  { client, informers }: ServerAndCache,
  resource: Resource,
  { namespace, generateName }: WriteAddress,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await client.list(resource, { signal, ...(namespace === undefined ? {} : { namespace }) });
  for (const item of items) if (item.metadata.generateName === generateName) informers.observeWrite(item);
}
