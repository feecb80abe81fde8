// Signatures of the repository by gpg.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const gpg = (args, options = {}) =>
  execFileSync('gpg', ['--batch', '--no-tty', '--quiet', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
  });

/** Public-key algorithms in gpg's lists: RSA and EdDSA. */
const rsa = '1';
const edDsa = '22';
const smallestRsa = 3_072;

/** Returns the public key, as Signed-By takes it. Throws for a key that Debian 13 refuses. */
export function exportKey(key) {
  const list = gpg(['--with-colons', '--list-keys', key], { encoding: 'utf8' });
  const [, , length, algorithm] = (list.split('\n').find((line) => line.startsWith('pub:')) ?? '').split(':');
  if (algorithm !== edDsa && !(algorithm === rsa && Number(length) >= smallestRsa))
    throw new Error(`The key ${key} is neither Ed25519 nor RSA of at least ${smallestRsa} bits.`);
  const exported = gpg(['--export', '--export-options', 'export-minimal', key], { maxBuffer: 2 ** 24 });
  const packets = gpg(['--list-packets'], { input: exported, encoding: 'utf8' });
  // Debian 13 refuses SHA-1 (2), also in the signatures of a key on itself.
  if (/digest algo 2,/.test(packets))
    throw new Error(`The key ${key} has signatures by SHA-1. Make a new one.`);
  return exported;
}

/** Signs Release in both forms. */
export function sign(key, folder) {
  const options = ['--yes', '--local-user', key, '--digest-algo', 'SHA512'];
  const release = join(folder, 'Release');
  gpg([...options, '--clearsign', '--output', join(folder, 'InRelease'), release]);
  gpg([...options, '--detach-sign', '--armor', '--output', join(folder, 'Release.gpg'), release]);
}
