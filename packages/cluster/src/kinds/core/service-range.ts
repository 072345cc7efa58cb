import { formatIpAddress, maskedPrefix } from "@kaji/core/go";
import type { DynamicObject } from "@kaji/core";
import { parseIp } from "../ip-address.ts";
import { parseRange } from "../ip-range.ts";
import { objectField, objectsField, stringField, stringsField } from "../json-fields.ts";
import type { ScarcePool } from "./scarce-pool.ts";

/** Where the addresses of services are from while no ServiceCIDR says so, as with the real server. */
const defaultRange = "10.0.0.0/24";

/** The addresses of IPv4 that services may have: those of all ServiceCIDRs that are ready. */
export function serviceIps(serviceCidrs: readonly DynamicObject[]): ScarcePool<string> {
  const cidrs = serviceCidrs.filter(isReady).flatMap((object) => stringsField(objectField(object, "spec"), "cidrs"));
  const bands = (serviceCidrs.length === 0 ? [defaultRange] : cidrs).flatMap(bandsOf);
  // What is kept for those who ask comes last, of all ranges.
  const inOrder = [...bands.map(({ dynamic }) => dynamic), ...bands.map(({ kept }) => kept)];
  return {
    range: bands.map(({ cidr }) => cidr).join(","),
    has: (text) => {
      const address = addressOf(text);
      return inOrder.some(({ first, size }) => address >= first && address < first + size);
    },
    size: sum(inOrder),
    dynamic: sum(bands.map(({ dynamic }) => dynamic)),
    at: (index) => textOf(addressAt(inOrder, index)),
    sample: () => textOf(bands[0]?.network ?? 0),
  };
}

/** Addresses that follow each other. */
interface Band {
  readonly first: number;
  readonly size: number;
}

/** The addresses of a range, without its own and that of broadcasts. The lower sixteenth, from 16 to 256, is kept for those who ask for one: https://kep.k8s.io/3070 */
function bandsOf(
  cidr: string,
): readonly { readonly cidr: string; readonly network: number; readonly kept: Band; readonly dynamic: Band }[] {
  const range = parseRange(cidr);
  if (range?.address.family !== "IPv4") return [];
  const network = Number(maskedPrefix({ address: range.address.ip, length: range.prefixLength }).address.bits);
  const all = 2 ** (32 - range.prefixLength);
  const size = Math.max(all - 2, 0);
  const kept = all <= 16 ? 0 : Math.min(Math.max(Math.floor(all / 16), 16), 256, size);
  const first = network + 1;
  return [{ cidr, network, kept: { first, size: kept }, dynamic: { first: first + kept, size: size - kept } }];
}

/** One of which nobody says whether it is ready is: the controller that would say so need not run. */
function isReady({ metadata, ...object }: DynamicObject): boolean {
  const ready = objectsField(objectField(object, "status"), "conditions").find((each) => stringField(each, "type") === "Ready");
  return metadata.deletionTimestamp === undefined && (ready === undefined || stringField(ready, "status") === "True");
}

function addressAt(bands: readonly Band[], index: number): number {
  let before = 0;
  for (const { first, size } of bands) {
    if (index < before + size) return first + index - before;
    before += size;
  }
  throw new RangeError(`there are ${before} addresses, and none at ${index}`);
}

function addressOf(text: string): number {
  const address = parseIp(text);
  return address?.family === "IPv4" ? Number(address.ip.bits) : Number.NaN;
}

function textOf(address: number): string {
  return formatIpAddress({ family: 4, bits: BigInt(address), zone: "" });
}

function sum(bands: readonly Band[]): number {
  return bands.reduce((total, { size }) => total + size, 0);
}
