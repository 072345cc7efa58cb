#!/usr/bin/env node
import { processTerminal, run } from "@kaji/cli";

process.exitCode = await run(["init", ...process.argv.slice(2)], processTerminal());
