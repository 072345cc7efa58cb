import { argv } from "node:process";
import { replay } from "../explore.ts";
import { options } from "./bundle-exploration.ts";

/** Plays the plans in the arguments, and prints what happened in each as a digest. */
for (const plan of argv.slice(2)) {
  const { traceHash } = await replay(options, plan);
  process.stdout.write(`${traceHash}\n`);
}
