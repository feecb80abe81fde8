import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownNames, permittedDomains } from '../../../src/core/certificates/certificate-names.ts';
import { authorityValidity, serverValidity } from '../../../src/core/certificates/renewal.ts';
import { issueCertificates } from '../../../src/services/https/issue-certificates.ts';
import type { IssueResult } from '../../../src/services/https/issue-jobs.ts';
import { sendOverTls } from './tls-client.ts';

const nowMs = Date.now();
const domains = permittedDomains('bar');
const names = ownNames({ hostName: 'bar', hasAlias: true, addresses: ['192.168.1.5', 'fd00::5'] });
const validity = authorityValidity(nowMs);
let made: IssueResult;
let folder: string;

beforeAll(async () => {
  made = await issue({ names });
  folder = mkdtempSync(join(tmpdir(), 'tapster-issue-'));
  writeFileSync(join(folder, 'ca.pem'), made.authority.certificate);
});

const issue = ({
  authority = null,
  ...server
}: {
  names: typeof names;
  authority?: IssueResult['authority'] | null;
}) =>
  issueCertificates({
    authority,
    newAuthority: { ...validity, name: 'Tapster bar 1a2b', domains },
    server: { ...serverValidity(nowMs, validity), ...server },
  });

/** Verifies a certificate with OpenSSL, strictly by RFC 5280. */
function verify(certificate: string) {
  const file = join(folder, 'server.pem');
  writeFileSync(file, certificate);
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', join(folder, 'ca.pem'), file];
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  return { isTrusted: status === 0, text: stdout + stderr };
}

test('OpenSSL verifies the certificate strictly', () => {
  expect(verify(made.server.certificate)).toMatchObject({ isTrusted: true });
});

test('the authority is of P-256, for ten years, may sign no further authority, and has constraints that are not critical', () => {
  const text = execFileSync('openssl', ['x509', '-in', join(folder, 'ca.pem'), '-noout', '-text'], {
    encoding: 'utf8',
  });
  expect(text).toMatch(/Basic Constraints: critical\n\s+CA:TRUE, pathlen:0/);
  expect(text).toMatch(/Key Usage: critical\n\s+Certificate Sign, CRL Sign\n/);
  expect(text).toMatch(/Name Constraints: \n\s+Permitted:\n\s+DNS:local\n\s+DNS:home.arpa\n/);
  expect(text).toContain('IP:192.168.0.0/255.255.0.0');
  expect(text).toContain('IP:172.16.0.0/255.240.0.0');
  expect(text).toContain('NIST CURVE: P-256');
  expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256');
  const { validFrom, validTo } = new X509Certificate(made.authority.certificate);
  expect(Math.round((Date.parse(validTo) - Date.parse(validFrom)) / 86_400_000)).toBe(3_653);
});

test('the certificate of the server is for servers alone, for 397 days, with all names', () => {
  const certificate = new X509Certificate(made.server.certificate);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.ca).toBe(false);
  expect(certificate.subjectAltName).toBe(
    'DNS:bar.local, DNS:bar, DNS:tapster.local, DNS:localhost, IP Address:192.168.1.5, IP Address:FD00:0:0:0:0:0:0:5, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  );
  const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000;
  expect(days).toBe(397);
});

test('a second certificate comes from the same authority and has another key and number', async () => {
  const second = await issue({ names, authority: made.authority });
  expect(second.authority).toEqual(made.authority);
  expect(verify(second.server.certificate).isTrusted).toBe(true);
  expect(second.server.key).not.toBe(made.server.key);
  const serial = (pem: string) => new X509Certificate(pem).serialNumber;
  expect(serial(second.server.certificate)).not.toBe(serial(made.server.certificate));
});

test.each([
  ['a name of the internet', { dns: ['bank.example'], addresses: [] }],
  ['a name that only ends alike', { dns: ['bar.notlocal'], addresses: [] }],
  ['a public IPv4 address', { dns: [], addresses: ['8.8.8.8'] }],
  ['an address beside a private network', { dns: [], addresses: ['172.32.0.1'] }],
  ['a public IPv6 address', { dns: [], addresses: ['2001:db8::1'] }],
])('OpenSSL and Node refuse %s under this authority', async (_what, foreign) => {
  const { server } = await issue({ names: foreign, authority: made.authority });
  const verified = verify(server.certificate);
  expect(verified.isTrusted).toBe(false);
  expect(verified.text).toMatch(/permitted subtree violation/);
  const tls = createServer({ cert: server.certificate, key: server.key }, (_request, response) =>
    response.end('x'),
  );
  await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
  try {
    const url = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/`;
    await expect(
      sendOverTls(url, { ca: made.authority.certificate, servername: foreign.dns[0] ?? '' }),
    ).rejects.toThrow('permitted subtree violation');
  } finally {
    tls.close();
  }
});
