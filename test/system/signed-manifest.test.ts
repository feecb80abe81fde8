import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSignedManifest } from '../../src/system/signed-manifest.ts';
import { makeSigningKey, manifestFields, signBytes } from '../kit/package-server.ts';

const { publicKey, privateKey } = makeSigningKey();
const bytes = Buffer.from(JSON.stringify(manifestFields()));
const signature = signBytes(bytes, privateKey);

test('a manifest with the signature of its key is read', () => {
  expect(readSignedManifest(bytes, `${signature}\n`, publicKey)).toMatchObject({
    refusal: null,
    manifest: { version: '2.0.0' },
  });
});

test('a manifest with any other byte has no valid signature', () => {
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes);
      changed[at]! ^= change;
      expect(readSignedManifest(changed, signature, publicKey).refusal).toBe('bad_signature');
    }),
  );
});

test('no bytes, signature or key make it throw', () => {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom(signature, publicKey, ''));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), text, text, (some, one, key) => {
      expect(readSignedManifest(Buffer.from(some), one, key).manifest).toBeNull();
    }),
  );
});

test('signed bytes that are no manifest are unreadable', () => {
  const other = Buffer.from('{"format":1}');
  expect(readSignedManifest(other, signBytes(other, privateKey), publicKey).refusal).toBe('unreadable');
  const large = Buffer.alloc(40_000, ' ');
  expect(readSignedManifest(large, signBytes(large, privateKey), publicKey).refusal).toBe('unreadable');
});

test('a key of another kind signs nothing', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  expect(readSignedManifest(bytes, signature, key).refusal).toBe('bad_signature');
});
