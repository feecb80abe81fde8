import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { extract, Header, type HeaderData } from 'tar';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { formatChecksums, sha256 } from '../../../src/store/archive/checksums.ts';

/** One member of a forged archive. */
export interface ForgedMember {
  readonly path: string;
  readonly bytes?: Buffer | string;
  readonly type?: NonNullable<HeaderData['type']>;
  readonly linkpath?: string;
  /** The size in the header when it differs from the real one. */
  readonly size?: number;
}

/** Writes an archive of exactly these members, in this order, without any check. */
export async function writeArchive(members: readonly ForgedMember[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-forged-'));
  const archive = join(folder, 'forged.tar.gz');
  await pipeline(
    function* blocks() {
      for (const { path, bytes = '', type = 'File', linkpath, size } of members) {
        const content = Buffer.from(bytes);
        const block = Buffer.alloc(512);
        new Header({
          path,
          mode: 0o644,
          size: size ?? content.length,
          type,
          ...omitUndefined({ linkpath }),
        }).encode(block);
        yield block;
        yield content;
        yield Buffer.alloc((512 - (content.length % 512)) % 512);
      }
      yield Buffer.alloc(1024);
    },
    createGzip(),
    createWriteStream(archive),
  );
  return archive;
}

/** Unpacks an archive so that it can be packed again with changes; checksums and sizes are recomputed. */
export async function unpackArchive(archive: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-apart-'));
  await extract({ file: archive, cwd: folder });
  const manifest = JSON.parse(readFileSync(join(folder, 'tapster-backup.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const pictures = readFileSync(join(folder, 'checksums.txt'), 'utf8')
    .split('\n')
    .map((line) => line.slice(66))
    .filter((member) => member.startsWith('pictures/'));
  return {
    database: join(folder, 'database.db'),
    /** The members of a consistent archive with the given changes. */
    members(
      change: {
        manifest?: object;
        settings?: string;
        database?: Buffer;
        extra?: readonly ForgedMember[];
      } = {},
    ): ForgedMember[] {
      const database = change.database ?? readFileSync(join(folder, 'database.db'));
      const files = [
        ...(change.settings === undefined ? [] : [{ path: 'settings.json', bytes: change.settings }]),
        { path: 'database.db', bytes: database },
        ...pictures.map((path) => ({ path, bytes: readFileSync(join(folder, path)) })),
      ];
      const checksums = formatChecksums(new Map(files.map(({ path, bytes }) => [path, sha256(bytes)])));
      const newManifest = {
        ...manifest,
        databaseBytes: database.length,
        checksumsSha256: sha256(checksums),
        ...change.manifest,
      };
      return [
        { path: 'tapster-backup.json', bytes: JSON.stringify(newManifest) },
        { path: 'checksums.txt', bytes: checksums },
        ...files,
        ...(change.extra ?? []),
      ];
    },
  };
}

/** Copies a file with changed bytes. */
export function corruptCopy(file: string, change: (bytes: Buffer) => Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-spoiled-'));
  const copy = join(folder, 'spoiled.tar.gz');
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, change(Buffer.from(readFileSync(file))));
  return copy;
}
