import { systemClock } from "@kaji/core";
import { startCluster } from "@kaji/cluster";

// Measures one thing in a process of its own, in which nothing else has happened before.
const importedMs = systemClock.monotonic();
switch (process.argv[2]) {
  case "small": {
    await using cluster = await startCluster();
    const readyAfterImportMs = systemClock.monotonic() - importedMs;
    // What measures comes after what is measured.
    const { forkMs, testOverheadMs } = await import("./embedded-measures.ts");
    say({ readyAfterImportMs, forkMs: await forkMs(cluster), testOverheadMs: await testOverheadMs(cluster) });
    break;
  }
  case "large": {
    const { largeCluster } = await import("./embedded-measures.ts");
    say(await largeCluster());
    break;
  }
  default:
    throw new Error("usage: embedded-program.ts small|large");
}

function say(measured: object): void {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
