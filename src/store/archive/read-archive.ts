import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { AppError } from '../../core/app-error.ts';
import { type Checksums, maxChecksumBytes, parseChecksums, sha256 } from './checksums.ts';
import { type Manifest, maxManifestBytes, memberNames, notABackup, parseManifest } from './manifest.ts';

/** Where a member's bytes go, once the archive has said that it holds such a member. */
export type SaveMember = (member: string, bytes: AsyncIterable<Buffer>) => Promise<void>;

/** Called with the manifest before anything of the rest is read; may refuse it. */
export type CheckManifest = (manifest: Manifest) => void | Promise<void>;

/** Nothing of ours shrinks better than this: pictures hardly do, and a ledger to a fifth. */
const maxCompressionRatio = 100;

/** Small archives may shrink as they like, bytes. */
const uncheckedBytes = 64 * 1024 * 1024;

/**
 * Reads an archive from beginning to end, once. Only the members that belong in one are let through, each in its place,
 * as a plain file, of the size and with the checksum it is said to have; anything else is refused with a sentence
 * before a byte of it is kept. So no name leads out of a folder, no link anywhere, and no few bytes unpack to many.
 */
export async function readArchive(
  source: Readable,
  checkManifest: CheckManifest,
  saveMember: SaveMember,
): Promise<Manifest> {
  const reader = memberReader(checkManifest, saveMember);
  const parser = new Parser({ strict: true, maxMetaEntrySize: 4_096 });
  let fault: unknown = null;
  let reading: ReadEntry | null = null;
  let work: Promise<void> = Promise.resolve();
  const fail = (cause: unknown) => {
    fault ??= cause;
  };
  parser.on('error', fail);
  parser.on('ignoredEntry', () => fail(notABackup()));
  parser.on('entry', (entry: ReadEntry) => {
    // One after the other: the parser hands out the next only when this one is read.
    work = work
      .then(() => {
        reading = entry;
        return fault === null ? reader.take(entry) : undefined;
      })
      .catch(fail);
    // A refused member is run dry, so that the parser comes to its end.
    work = work.then(() => void entry.resume());
  });

  let compressedBytes = 0;
  let unpackedBytes = 0;
  await pipeline(
    source,
    async function* counted(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        compressedBytes += piece.length;
        yield piece;
      }
    },
    createGunzip(),
    async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        // Packed once and not twice: the parser would unpack the second time by itself, uncounted.
        if (unpackedBytes === 0 && piece[0] !== memberNames.manifest.charCodeAt(0)) throw notABackup();
        unpackedBytes += piece.length;
        if (unpackedBytes > Math.max(uncheckedBytes, compressedBytes * maxCompressionRatio)) {
          throw new AppError(
            'invalid_request',
            'The archive unpacks to far more than a backup does: it is refused.',
          );
        }
        const hasCapacity = parser.write(piece);
        if (fault !== null) throw fault;
        if (!hasCapacity) await once(parser, 'drain');
        if (fault !== null) throw fault;
      }
    },
  ).catch((cause: unknown) => fail(toArchiveError(cause)));

  if (fault === null) {
    const ended = once(parser, 'end').catch(fail);
    parser.end();
    await ended;
  }
  // Nothing more will come for a member that was cut off; whoever waits for it closes its file.
  if (fault !== null) (reading as ReadEntry | null)?.destroy();
  await work;
  if (fault !== null) throw toArchiveError(fault);
  return reader.finish();
}

/** Follows the members in the only order there is: manifest, checksums, ledger, pictures. */
function memberReader(checkManifest: CheckManifest, saveMember: SaveMember) {
  let manifest: Manifest | null = null;
  let checksums: Checksums | null = null;
  let expected: readonly string[] = [memberNames.manifest, memberNames.checksums];
  let position = 0;
  let pictureBytes = 0;

  async function take(entry: ReadEntry): Promise<void> {
    const member = entry.path;
    if (member !== expected[position] || (entry.type !== 'File' && entry.type !== 'OldFile'))
      throw notABackup();
    if (entry.extended?.path !== undefined || entry.linkpath) throw notABackup();
    position++;
    if (manifest === null) {
      manifest = parseManifest(await readText(entry, maxManifestBytes));
      await checkManifest(manifest);
      return;
    }
    if (checksums === null) {
      const text = await readText(entry, maxChecksumBytes);
      if (sha256(text) !== manifest.checksumsSha256) throw damagedBackup();
      checksums = parseChecksums(text);
      if (checksums.size !== manifest.pictureFiles + 1) throw damagedBackup();
      expected = [...expected, ...checksums.keys()];
      return;
    }
    if (member === memberNames.database) {
      if (entry.size !== manifest.databaseBytes) throw damagedBackup();
    } else {
      pictureBytes += entry.size;
      if (pictureBytes > manifest.pictureBytes) throw damagedBackup();
    }
    const hash = createHash('sha256');
    await saveMember(member, hashedBytes(entry, hash));
    if (hash.digest('hex') !== checksums.get(member)) throw damagedBackup();
  }

  return {
    take,
    /** The manifest, when everything it promised has come. */
    finish(): Manifest {
      if (manifest === null) throw notABackup();
      if (checksums === null || position !== expected.length || pictureBytes !== manifest.pictureBytes)
        throw damagedBackup();
      return manifest;
    },
  };
}

async function* hashedBytes(entry: ReadEntry, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  // Given up while a file was being opened or written: a next piece would be waited for without end.
  const requireMore = () => {
    if (entry.destroyed) throw damagedBackup();
  };
  requireMore();
  for await (const piece of entry) {
    hash.update(piece);
    yield piece;
    requireMore();
  }
}

async function readText(entry: ReadEntry, maxBytes: number): Promise<string> {
  if (entry.size > maxBytes) throw notABackup();
  const pieces: Buffer[] = [];
  for await (const piece of entry) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const damagedBackup = (cause?: unknown): AppError =>
  new AppError(
    'invalid_request',
    'The backup is damaged: it is cut off, or something in it has changed since it was made. Take another one.',
    cause === undefined ? {} : { cause },
  );

/** What zlib and tar say of bytes that are not what they should be; faults of the disk stay what they are. */
function toArchiveError(fault: unknown): unknown {
  if (fault instanceof AppError) return fault;
  const { code, tarCode } = fault as { code?: string; tarCode?: string };
  if (code === 'Z_DATA_ERROR' && /incorrect header/.test(String(fault))) return notABackup(fault);
  if (code?.startsWith('Z_')) return damagedBackup(fault);
  if (tarCode !== undefined || code?.startsWith('TAR_')) return damagedBackup(fault);
  return fault;
}
