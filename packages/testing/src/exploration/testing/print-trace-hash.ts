import { argv } from "node:process";
import { replay } from "../explore.ts";
import { options } from "./bundle-exploration.ts";

/** Plays the plan in the first argument, and prints what happened as a digest. */
const { traceHash } = await replay(options, argv[2] ?? "");
process.stdout.write(`${traceHash}\n`);
