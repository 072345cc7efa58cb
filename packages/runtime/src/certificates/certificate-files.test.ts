import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemClock, systemRandom } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { CertificateFiles } from "./certificate-files.ts";
import { firstCertificate } from "./certificate-source.ts";
import type { Certificate } from "./certificate.ts";
import { rotate } from "./rotation.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-webhook-"));
after(() => rmSync(root, { recursive: true }));
let folders = 0;

async function newCertificate(): Promise<Certificate> {
  const lifetimes = { authorityLifetimeMs: 3600_000, certificateLifetimeMs: 3600_000, overlapMs: 0 };
  const { serving } = rotate(undefined, false, { clock: systemClock, random: systemRandom, names: ["localhost"], ...lifetimes });
  return { cert: serving.cert, key: serving.key };
}

/** Puts files in place as the kubelet does with those of a Secret: a link to a new folder replaces the old one. */
function mount(folder: string, { cert, key }: Certificate): void {
  const version = `..${folders++}`;
  mkdirSync(join(folder, version), { recursive: true });
  writeFileSync(join(folder, version, "tls.crt"), cert);
  writeFileSync(join(folder, version, "tls.key"), key);
  symlinkSync(version, join(folder, "..tmp"));
  renameSync(join(folder, "..tmp"), join(folder, "..data"));
  for (const file of ["tls.crt", "tls.key"]) if (!existsSync(join(folder, file))) symlinkSync(join("..data", file), join(folder, file));
}

function filesIn(folder: string): { readonly certFile: string; readonly keyFile: string } {
  return { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
}

function nextChange(files: CertificateFiles): Promise<Certificate> {
  return new Promise((resolve) => {
    files.subscribe(resolve);
  });
}

test("[WHF1] files that are replaced are read again, as soon as the system tells", async () => {
  const folder = join(root, String(folders++));
  const [first, second] = [await newCertificate(), await newCertificate()];
  mount(folder, first);
  // Time stands still: only the system can tell.
  const files = new CertificateFiles({ ...filesIn(folder), clock: new ManualClock() });
  const end = new AbortController();
  const running = files.run(end.signal);
  await files.ready;
  assert.deepEqual(files.current, first);
  const changed = nextChange(files);
  mount(folder, second);
  assert.deepEqual(await changed, second);
  end.abort();
  await running;
});

test("[WHF2] files that come later are found by looking again; what does not fit together is not used, and said once", async () => {
  const folder = join(root, String(folders++));
  const clock = new ManualClock();
  const problems: string[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    child: () => log,
    warn: (fields: object, _message: string) => problems.push(JSON.stringify(fields)),
  };
  const files = new CertificateFiles({ ...filesIn(folder), clock, log });
  const end = new AbortController();
  const running = files.run(end.signal);
  await until(() => problems.length === 1);
  assert.match(problems[0] ?? "", /ENOENT/);
  const [one, other] = [await newCertificate(), await newCertificate()];
  mount(folder, { cert: one.cert, key: other.key });
  await clock.advance(10_000);
  await until(() => problems.length === 2);
  assert.match(problems[1] ?? "", /tls\.key is not the key of the certificate in /);
  assert.equal(files.current, undefined);
  mount(folder, one);
  await clock.advance(10_000);
  assert.deepEqual(await firstCertificate(files, end.signal), one);
  end.abort();
  await running;
});

/** Files are read by the system, in its own time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
