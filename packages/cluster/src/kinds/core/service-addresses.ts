import { isReason } from "@kaji/core";
import type { JsonObject, KubeObject, ObjectMeta } from "@kaji/core";
import type { LocalApi } from "../../upkeep/local-api.ts";

const managerLabel = "ipaddress.kubernetes.io/managed-by";
const manager = "ipallocator.k8s.io";

/** Where IPAddress objects are. */
export const addressesPath = "/apis/networking.k8s.io/v1/ipaddresses";

/**
 * Keeps the IPAddress of each address that services have. They are stored, as a real server stores them, and not made up when somebody asks: others make
 * IPAddress objects, too, whose addresses no service gets, and all of them can be watched. A Service costs one small write more.
 */
export class ServiceAddresses {
  readonly #api: LocalApi;

  constructor(api: LocalApi) {
    this.#api = api;
  }

  /** Writes down that a service has an address, unless somebody else has it. */
  async claim(ip: string, service: Pick<ObjectMeta, "name" | "namespace">): Promise<boolean> {
    try {
      await this.#api.send("POST", addressesPath, addressOf(ip, service));
      return true;
    } catch (error) {
      if (isReason(error, "AlreadyExists")) return false;
      throw error;
    }
  }

  /** Lets an address go. One that stays behind, since its deletion is refused, is taken until the next start. */
  async release(ip: string): Promise<void> {
    await this.#api.send("DELETE", `${addressesPath}/${ip}`).catch(() => {});
  }
}

/** Whether an IPAddress is there because a service has the address; others are their makers' own. */
export function isManaged({ metadata }: Pick<KubeObject, "metadata">): boolean {
  return metadata.labels?.[managerLabel] === manager;
}

function addressOf(ip: string, { name, namespace }: Pick<ObjectMeta, "name" | "namespace">): JsonObject {
  return {
    metadata: { name: ip, labels: { "ipaddress.kubernetes.io/ip-family": "IPv4", [managerLabel]: manager } },
    spec: { parentRef: { group: "", resource: "services", namespace: namespace ?? "", name } },
  };
}
