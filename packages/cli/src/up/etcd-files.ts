import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { errorMessage } from "@kaji/core";
import type { EtcdTls } from "@kaji/apiserver";
import { CommandError } from "../command.ts";
import type { EtcdPlace } from "./etcd-place.ts";

/** Reads the certificates by which an etcd and its client know each other. What is wrong with them is said before anything is started. */
export function readEtcdTls({ cafile, certfile, keyfile }: EtcdPlace): EtcdTls {
  const tls: EtcdTls = {
    ca: readPem("etcd-cafile", cafile, "CERTIFICATE"),
    cert: readPem("etcd-certfile", certfile, "CERTIFICATE"),
    key: readPem("etcd-keyfile", keyfile, "PRIVATE KEY"),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    const detail = errorMessage(error);
    const given = Object.entries({ cafile, certfile, keyfile }).filter(([, file]) => file !== undefined);
    const options = given.map(([name, file]) => `--etcd-${name} '${file}'`).join(", ");
    throw new CommandError(`${options} cannot be used: ${detail}`, { cause: error });
  }
  return tls;
}

function readPem(option: string, file: string | undefined, wanted: string): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(`--${option} '${file}' cannot be read: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  if (!text.includes(`${wanted}-----`)) throw new CommandError(`--${option} '${file}' has no ${wanted.toLowerCase()} in PEM`);
  return text;
}
