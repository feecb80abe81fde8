import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { splitPem, validityProblem } from '../../../src/core/certificates/own-certificate.ts';
import { checkOwnCertificate, readOwnCertificate } from '../../../src/services/https/own-certificate.ts';
import { createCertificates, type TestCertificates } from '../../kit/certificates.ts';

let pems: TestCertificates;
beforeAll(() => {
  pems = createCertificates();
});

const check = (certificate: string, key: string) =>
  checkOwnCertificate({ certificateFile: 'c.pem', keyFile: 'k.pem', certificate, key });

test('a certificate with its chain and its key is accepted, also with text around', () => {
  const chain = `Issued to the bar\n${pems.server.certificate.text}\n${pems.authority.certificate.text}`;
  const found = check(chain, pems.server.key.text);
  expect(found).toMatchObject({ names: ['localhost'] });
  expect(splitPem((found as { certificate: string }).certificate)).toHaveLength(2);
});

test('the key of another certificate is refused', () => {
  expect(check(pems.server.certificate.text, pems.client.key.text)).toMatchObject({
    code: 'https_key_mismatch',
  });
});

test.each(['', 'no PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'the text %j is no certificate',
  (text) => {
    expect(check(text, pems.server.key.text)).toMatchObject({ code: 'https_certificate_invalid' });
  },
);

test('an encrypted or damaged key is no key', () => {
  const { text } = pems.server.key;
  for (const key of ['', text.slice(0, 80), text.replace('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')])
    expect(check(pems.server.certificate.text, key)).toMatchObject({ code: 'https_key_invalid' });
});

test('any change of the texts is accepted or refused, never thrown', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('certificate', 'key'),
      fc.nat(2_000),
      fc.nat(60),
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('-----END CERTIFICATE-----')),
      (which, at, removed, inserted) => {
        const change = (text: string) => text.slice(0, at) + inserted + text.slice(at + removed);
        const { certificate, key } = pems.server;
        const found =
          which === 'certificate'
            ? check(change(certificate.text), key.text)
            : check(certificate.text, change(key.text));
        expect('code' in found || 'names' in found).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

test('a hostile text of the greatest size is split in linear time', () => {
  const text = '-----BEGIN CERTIFICATE-----'.repeat(2_400);
  expect(splitPem(text)).toEqual([]);
});

test('a missing file and one that is too large are reported, with their names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-pem-'));
  const [file, missing] = [join(folder, 'large.pem'), join(folder, 'missing.pem')];
  writeFileSync(file, 'x'.repeat(100_000));
  expect(readOwnCertificate(missing, missing)).toMatchObject({
    code: 'https_file_unreadable',
    params: { file: missing },
  });
  expect(readOwnCertificate(file, file)).toMatchObject({ code: 'https_file_unreadable', params: { file } });
  rmSync(folder, { recursive: true });
});

test('an expired certificate is reported, one that ends soon with the days left', () => {
  const day = 86_400_000;
  const now = { monoMs: 0, wallMs: 1_000 * day, synced: true, bootId: 'b' };
  const between = (fromDay: number, toDay: number) => ({ fromMs: fromDay * day, toMs: toDay * day });
  expect(validityProblem(between(900, 1_000), now)).toMatchObject({ code: 'https_certificate_expired' });
  expect(validityProblem(between(1_001, 1_100), now)).toMatchObject({ code: 'https_certificate_not_yet' });
  expect(validityProblem(between(900, 1_020), now)).toMatchObject({
    code: 'https_certificate_ends',
    params: { days: 20 },
  });
  expect(validityProblem(between(900, 1_021), now)).toBeNull();
  expect(validityProblem(between(900, 950), { ...now, synced: false })).toBeNull();
});
