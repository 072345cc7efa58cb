import { Protocol } from "./protocol.js";

// The work of the benchmarks, done with @kubernetes/client-node. ../README.md says how it is asked.
const [work, ...args] = process.argv.slice(2);
const [bars, concurrency] = args;
const talk = new Protocol();
const listening = talk.listen();
if (work === "first") await (await import("./mirror.js")).first(talk);
else if (work === "informer") await (await import("./mirror.js")).mirror(talk);
else if (work === "faults") await (await import("./faults.js")).sufferFaults(talk, args);
else if (work === "reconcile") await (await import("./operate.js")).operate(talk, Number(bars), Number(concurrency));
else throw new Error("usage: first | informer | faults URL… | reconcile BARS CONCURRENCY");
await listening;
process.exit(0);
