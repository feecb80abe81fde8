import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';

/** Cost of one password: 32 MiB and about 0.1 s on a Pi 4, in a separate thread; tests of other things pass a smaller `logN`. */
const cost = { logN: 15, r: 8, p: 1 };
const hashBytes = 32;
/** Above the memory needed; scrypt refuses a stored hash that asks for more. */
const maxmem = 64 * 1024 * 1024;

/** Passwords that may be queued; the next one is refused at once. */
const maxQueued = 32;

/** A stored password: `scrypt$<logN>$<r>$<p>$<salt>$<hash>`, base64. */
export type HashedPassword = string & { readonly hashed: true };

/** Hashes a password for storage. Rejects with `unavailable` while too many are queued. */
export async function hashPassword(password: string, logN = cost.logN): Promise<HashedPassword> {
  const salt = randomBytes(16);
  return formatHash(salt, await derive(password, salt, { ...cost, logN }, hashBytes), logN);
}

/** Hash to compare with when no account has the name, so that timing does not reveal names. */
export const makeDummyHash = (logN = cost.logN): HashedPassword =>
  formatHash(Buffer.alloc(16), Buffer.alloc(hashBytes), logN);

/** Whether the password matches the stored hash; constant time in the hash. */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [kind, logN, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const derived = await derive(
    password,
    Buffer.from(salt, 'base64'),
    { logN: Number(logN), r: Number(r), p: Number(p) },
    expected.length,
  );
  return timingSafeEqual(expected, derived);
}

/** A new API key: 32 lower-case hexadecimal digits, 128 bits. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** The stored part of a key. A single hash is enough for 128 random bits, which cannot be guessed. */
export function toStoredKey(secret: string): { readonly prefix: string; readonly hash: Buffer } {
  return { prefix: secret.slice(0, 8), hash: hash('sha256', secret, 'buffer') };
}

/** Whether two 32-byte hashes are equal, in constant time. */
export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function formatHash(salt: Buffer, hash: Buffer, logN: number): HashedPassword {
  const parts = ['scrypt', logN, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')];
  return parts.join('$') as HashedPassword;
}

let queued = 0;
/** One at a time: each uses one core and 32 MiB, and a Pi has little of both. */
let queue: Promise<unknown> = Promise.resolve();

/** NFKC: the same characters typed on another keyboard give the same password. */
function derive(password: string, salt: Buffer, { logN, r, p }: typeof cost, bytes: number): Promise<Buffer> {
  if (queued >= maxQueued) {
    throw new AppError('unavailable', 'Too many people are logging in: try again in a moment.', {
      reason: { name: 'too_many_logins' },
    });
  }
  queued += 1;
  const options = { N: 2 ** logN, r, p, maxmem };
  const result = queue.then(() => runScrypt(password.normalize('NFKC'), salt, bytes, options));
  queue = result.catch(() => {}).finally(() => (queued -= 1));
  return result;
}

function runScrypt(password: string, salt: Buffer, bytes: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, options, (fault, hash) => (fault ? reject(fault) : resolve(hash)));
  });
}
