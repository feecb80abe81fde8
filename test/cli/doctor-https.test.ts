import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpsFindings } from '../../src/cli/doctor/https.ts';
import { permittedDomains } from '../../src/core/certificates/certificate-names.ts';
import { authorityValidity, serverDays, serverValidity } from '../../src/core/certificates/renewal.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';
import { authorityFile, createCertificateFiles } from '../../src/services/https/certificate-files.ts';
import { issueCertificates } from '../../src/services/https/issue-certificates.ts';
import { createCertificates } from '../kit/certificates.ts';

const dayMs = 86_400_000;
const now = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'boot' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-doctor-https-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const database = () => join(folder, 'tapster.db');
const serviceFile = () => join(folder, 'tapster.service');

function findings(settings: object = {}, time = now) {
  const path = join(folder, 'tapster.json');
  writeFileSync(path, JSON.stringify({ database: database(), ...settings }));
  const { config } = loadConfig({ path, env: {}, cwd: folder });
  return httpsFindings({ config, isDemo: false }, time, serviceFile()).map(({ status, text }) => [
    status,
    text,
  ]);
}

/** Makes the files as the daemon does. */
async function makeCertificates(): Promise<string> {
  const validity = authorityValidity(now.wallMs);
  const { authority, server } = await issueCertificates({
    authority: null,
    newAuthority: { ...validity, name: 'Tapster bar 1a2b', domains: permittedDomains('bar') },
    server: { ...serverValidity(now.wallMs, validity), names: { dns: ['bar.local'], addresses: [] } },
  });
  const files = createCertificateFiles(database());
  if (authority !== null) files.writeAuthority(authority);
  files.writeServer(server);
  return new Date(now.wallMs + (serverDays - 1) * dayMs).toISOString().slice(0, 10);
}

const announce = (httpPort: number, httpsPort: number) =>
  writeFileSync(
    serviceFile(),
    `<service-group><service>\n<type>_http._tcp</type>\n  <port>${httpPort}</port></service>
     <service><type>_https._tcp</type><port>${httpsPort}</port></service></service-group>`,
  );

test('without files it says that the daemon makes them', () => {
  expect(findings()).toEqual([['unknown', expect.stringContaining('no certificate for HTTPS yet')]]);
});

test('the end of the certificate is told while the daemon does not run, and that it has passed', async () => {
  const day = await makeCertificates();
  expect(findings()).toEqual([['ok', expect.stringContaining(`valid until ${day}`)]]);
  const late = { ...now, wallMs: now.wallMs + serverDays * dayMs };
  expect(findings({}, late)).toEqual([['warn', expect.stringContaining('not valid now')]]);
});

test('a damaged file of the authority is told', () => {
  mkdirSync(dirname(authorityFile(database())));
  writeFileSync(authorityFile(database()), '{');
  expect(findings()).toEqual([['warn', expect.stringContaining('damaged')]]);
});

test('a certificate of the bar is told with its names, and what is wrong with it', () => {
  const { server, client } = createCertificates();
  const [certificate, key, other] = ['c.pem', 'k.pem', 'o.pem'].map((name) => join(folder, name));
  writeFileSync(certificate!, server.certificate.text);
  writeFileSync(key!, server.key.text);
  writeFileSync(other!, client.key.text);
  const withKey = (file: string) =>
    findings({ https: { certificate_file: certificate, key_file: file } }, { ...now, synced: false });
  expect(withKey(key!)).toEqual([['ok', expect.stringContaining('for localhost')]]);
  expect(withKey(other!)[0]).toEqual(['warn', expect.stringContaining('does not belong to the certificate')]);
  expect(withKey('/nowhere/k.pem')[0]).toEqual(['warn', expect.stringContaining('cannot be read')]);
});

test('ports that Avahi announces and the settings do not have are told', () => {
  announce(8080, 8443);
  expect(findings({ https: { enabled: false } })).toEqual([['ok', 'HTTPS is off.']]);
  expect(findings({ https: { enabled: false }, http: { port: 80 } })[1]).toEqual([
    'warn',
    expect.stringContaining('Avahi announces the ports 8080 and 8443'),
  ]);
});
