import type { Random } from "@kaji/core";
import type { MachineClock } from "./machine-clock.ts";
import type { Network } from "./network.ts";

/** What can happen to a process on its machine, and to its network. */
export function misfortunes(
  { clock, network }: { readonly clock: MachineClock; readonly network: Network },
  random: Random,
): readonly (() => void)[] {
  const lastingMs = random.next() * 20_000;
  return [
    () => clock.block(lastingMs),
    () => clock.suspend(lastingMs),
    () => clock.jump((random.next() - 0.5) * 1e8),
    () => Object.assign(network, { loss: random.next() }),
    () => Object.assign(network, { loss: 0, delayMs: random.next() * 3000 }),
  ];
}
