import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { overloadLimits } from './overload-limits.ts';

/** Content codings of answers, the better one first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Bytes from which a body is compressed; a smaller one fits into one packet either way. */
export const minCompressedBytes = 1_024;

/** A longer `Accept-Encoding` is ignored: browsers send some 30 characters. */
const maxHeaderChars = 256;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The package's types lack the order among codings that the client rates equal. */
interface WithPreference {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}

/** Returns the coding that a client prefers; null if it accepts none, or prefers a body without one. */
export function acceptedCoding({ headers }: Pick<IncomingMessage, 'headers'>): Coding | null {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || accepted.length > maxHeaderChars) return null;
  const negotiator: WithPreference = new Negotiator({ headers });
  const [best] = negotiator.encodings([...codings, 'identity'], { preferred: codings });
  return codings.find((coding) => coding === best) ?? null;
}

/** Adds a request header to those on which the answer depends, for caches. */
export function addVary(response: ServerResponse, header: string): void {
  const present = response.getHeader('Vary');
  if (present === undefined) response.setHeader('Vary', header);
  else if (!String(present).split(', ').includes(header)) response.setHeader('Vary', `${present}, ${header}`);
}

/** True for media types whose content gets smaller. */
export const isCompressible = (mediaType: string): boolean =>
  /^(?:text\/|application\/(?:json|yaml|javascript|manifest\+json)|image\/svg\+xml)/.test(mediaType);

let running = 0;

/**
 * Compresses a body in Node's thread pool. Null if it is too large, or if others are being compressed: it is then sent as it
 * is, so that bodies never queue up in memory.
 */
export async function compress(body: Buffer, coding: Coding): Promise<Buffer | null> {
  const { total, maxBytes } = overloadLimits.compressions;
  if (body.length > maxBytes || running >= total) return null;
  running += 1;
  try {
    return await (coding === 'br' ? compressBrotli(body, brotliOptions(body)) : compressGzip(body));
  } finally {
    running -= 1;
  }
}

const brotliOptions = ({ length }: Buffer) => ({
  params: {
    // As quick as gzip, and about 10 % smaller than it.
    [constants.BROTLI_PARAM_QUALITY]: 4,
    // A window of 256 KiB: the default takes 4 MiB for each body.
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});

/** Compressed copies, garbage-collected with their originals. */
const copies = new WeakMap<Buffer, Map<Coding, Promise<Buffer | null>>>();

/** As `compress`, but only once for each body, which never changes; for those that several clients share. */
export function compressShared(body: Buffer, coding: Coding): Promise<Buffer | null> {
  let ofBody = copies.get(body);
  if (ofBody === undefined) {
    ofBody = new Map();
    copies.set(body, ofBody);
  }
  let copy = ofBody.get(coding);
  if (copy === undefined) {
    copy = compress(body, coding).then((compressed) => {
      if (compressed === null) ofBody.delete(coding);
      return compressed;
    });
    ofBody.set(coding, copy);
  }
  return copy;
}
