import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { permittedDomains } from '../../src/core/certificates/certificate-names.ts';
import { authorityValidity, serverValidity } from '../../src/core/certificates/renewal.ts';
import { authorityFile } from '../../src/services/https/certificate-files.ts';
import { issueCertificates } from '../../src/services/https/issue-certificates.ts';

/** Runs the command on the configuration of a folder. */
async function run(folder: string, env: Record<string, string> = {}) {
  const file = join(folder, 'tapster.json');
  writeFileSync(file, JSON.stringify({ database: join(folder, 'tapster.db') }));
  let [out, err] = ['', ''];
  const code = await runCli(['https', '--config', file], {
    out: (text) => {
      out += String(text);
    },
    err: (text) => {
      err += text;
    },
    stdin: (async function* () {})(),
    env,
    cwd: folder,
  });
  return { code, out, err };
}

const createFolder = () => mkdtempSync(join(tmpdir(), 'tapster-cli-https-'));

test('prints the fingerprint that devices show', async () => {
  const folder = createFolder();
  const file = authorityFile(join(folder, 'tapster.db'));
  const validity = authorityValidity(Date.now());
  const names = { dns: ['bar.local'], addresses: [] };
  const { authority } = await issueCertificates({
    authority: null,
    newAuthority: { ...validity, name: 'Tapster bar 1a2b', domains: permittedDomains('bar') },
    server: { ...serverValidity(Date.now(), validity), names },
  });
  mkdirSync(dirname(file));
  writeFileSync(file, JSON.stringify(authority));
  const { code, out } = await run(folder);
  expect(code).toBe(0);
  expect(out).toContain(new X509Certificate(authority.certificate).fingerprint256);
  expect(out).toContain('Tapster bar 1a2b');
  expect(out).toContain(`https://${hostname().toLowerCase()}.local:8443/`);
  expect(out).not.toContain('PRIVATE');
});

test('says why there is none', async () => {
  const folder = createFolder();
  expect(await run(folder)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('no authority yet'),
  });
  expect(await run(folder, { TAPSTER_HTTPS: 'off' })).toMatchObject({ code: 1, err: 'HTTPS is off.\n' });
  mkdirSync(authorityFile(join(folder, 'tapster.db')), { recursive: true });
  expect(await run(folder)).toMatchObject({ code: 77, err: expect.stringContaining('sudo') });
});
