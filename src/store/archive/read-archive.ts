import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { AppError } from '../../core/app-error.ts';
import { type Checksums, maxChecksumBytes, parseChecksums, sha256 } from './checksums.ts';
import {
  type Manifest,
  maxManifestBytes,
  maxSettingsBytes,
  memberNames,
  notABackup,
  parseManifest,
} from './manifest.ts';

/** Stores the bytes of one expected member. */
type SaveMember = (member: string, bytes: AsyncIterable<Buffer>) => Promise<void>;

/** Called with the manifest before the rest is read; throws to reject the archive. */
type CheckManifest = (manifest: Manifest) => void | Promise<void>;

/** Upper bound of the compression ratio: pictures hardly compress, a database to about a fifth. */
const maxCompressionRatio = 100;

/** Up to this unpacked size the ratio is not checked, bytes. */
const uncheckedBytes = 64 * 1024 * 1024;

/**
 * Reads an archive once from start to end. Accepts only the expected members, in their order, as plain files
 * with the announced size and checksum, and rejects anything else before a byte of it is stored. This
 * excludes names that lead out of the folder, links, and decompression bombs.
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
    // One member at a time: the parser emits the next only when this one is read.
    work = work
      .then(() => {
        reading = entry;
        return fault === null ? reader.take(entry) : undefined;
      })
      .catch(fail);
    // Drains a rejected member so that the parser can finish.
    work = work.then(() => void entry.resume());
  });

  let compressedBytes = 0;
  let unpackedBytes = 0;
  await pipeline(
    source,
    async function* counted(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        compressedBytes += chunk.length;
        yield chunk;
      }
    },
    createGunzip(),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        // Rejects a second gzip layer: the parser would unpack it by itself, without our size limit.
        if (unpackedBytes === 0 && chunk[0] !== memberNames.manifest.charCodeAt(0)) throw notABackup();
        unpackedBytes += chunk.length;
        if (unpackedBytes > Math.max(uncheckedBytes, compressedBytes * maxCompressionRatio)) {
          throw new AppError(
            'invalid_request',
            'The archive unpacks to much more data than a backup does and was rejected.',
          );
        }
        const hasCapacity = parser.write(chunk);
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
  // A truncated member gets no more data; destroying it lets its reader close the file.
  if (fault !== null) (reading as ReadEntry | null)?.destroy();
  await work;
  if (fault !== null) throw toArchiveError(fault);
  return reader.finish();
}

/** Accepts the members in their fixed order: manifest, checksums, settings if there are any, database, pictures. */
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
      const otherFiles = checksums.has(memberNames.settings) ? 2 : 1;
      if (checksums.size !== manifest.pictureFiles + otherFiles) throw damagedBackup();
      expected = [...expected, ...checksums.keys()];
      return;
    }
    if (member === memberNames.database) {
      if (entry.size !== manifest.databaseBytes) throw damagedBackup();
    } else if (member === memberNames.settings) {
      if (entry.size > maxSettingsBytes) throw damagedBackup();
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
    /** Returns the manifest if every announced member was read, else throws. */
    finish(): Manifest {
      if (manifest === null) throw notABackup();
      if (checksums === null || position !== expected.length || pictureBytes !== manifest.pictureBytes)
        throw damagedBackup();
      return manifest;
    },
  };
}

async function* hashedBytes(entry: ReadEntry, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  // If the entry was destroyed while its file was opened or written, waiting for the next chunk would never
  // end.
  const requireMore = () => {
    if (entry.destroyed) throw damagedBackup();
  };
  requireMore();
  for await (const chunk of entry) {
    hash.update(chunk);
    yield chunk;
    requireMore();
  }
}

async function readText(entry: ReadEntry, maxBytes: number): Promise<string> {
  if (entry.size > maxBytes) throw notABackup();
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const damagedBackup = (cause?: unknown): AppError =>
  new AppError(
    'invalid_request',
    'The backup is damaged: it is truncated, or it was changed after it was created. Use another one.',
    cause === undefined ? {} : { cause },
  );

/** Converts errors of zlib and tar about invalid data; returns any other error unchanged. */
function toArchiveError(fault: unknown): unknown {
  if (fault instanceof AppError) return fault;
  const { code, tarCode } = fault as { code?: string; tarCode?: string };
  if (code === 'Z_DATA_ERROR' && /incorrect header/.test(String(fault))) return notABackup(fault);
  if (code?.startsWith('Z_')) return damagedBackup(fault);
  if (tarCode !== undefined || code?.startsWith('TAR_')) return damagedBackup(fault);
  return fault;
}
