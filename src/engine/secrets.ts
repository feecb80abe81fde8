import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/**
 * Work of one password: 32 MiB and about a tenth of a second on a Pi 4. It blocks the loop, since a use-case is one
 * synchronous transaction; pulses wait outside the loop meanwhile.
 */
const cost = { logN: 15, r: 8, p: 1 };
const hashBytes = 32;
/** Above what the cost needs; a stored hash that asks for more is refused by scrypt. */
const maxmem = 64 * 1024 * 1024;

/** Hashes a password for storage: `scrypt$<logN>$<r>$<p>$<salt>$<hash>`, base64. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  const hash = derive(password, salt, cost, hashBytes);
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether the password is the one behind the stored hash; constant time in the hash. */
export function passwordMatches(password: string, stored: string): boolean {
  const [kind, logN, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const given = derive(
    password,
    Buffer.from(salt, 'base64'),
    { logN: Number(logN), r: Number(r), p: Number(p) },
    expected.length,
  );
  return timingSafeEqual(expected, given);
}

/** A new API key: 32 lower-case hexadecimal digits, 128 bits. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** What of a key is stored. One hash is enough for 128 random bits: nobody guesses those by trying. */
export function keyTrace(secret: string): { readonly prefix: string; readonly hash: Buffer } {
  return { prefix: secret.slice(0, 8), hash: createHash('sha256').update(secret).digest() };
}

/** Whether two hashes of 32 bytes are the same, in constant time. */
export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The same letters typed on another keyboard make the same password. */
function derive(password: string, salt: Buffer, { logN, r, p }: typeof cost, bytes: number): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, bytes, { N: 2 ** logN, r, p, maxmem });
}
