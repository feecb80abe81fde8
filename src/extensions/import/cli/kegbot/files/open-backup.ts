import { readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { InputFile } from '../../../../../cli/open-input.ts';
import { AppError } from '../../../../../core/app-error.ts';
import { openJsonTables } from './json-tables.ts';
import { openSqlDump } from './sql-dump.ts';
import { invalidBackup, type TableSource } from './table-rows.ts';
import {
  maxCompressionRatio,
  maxUnpackedBytes,
  openZip,
  tooMuch,
  uncheckedBytes,
  type ZipMember,
} from './zip-archive.ts';

/** Bytes that are read at once. */
const chunkBytes = 256 * 1024;

/** Bound of a backup's file. */
export const backupBounds = { maxGib: maxUnpackedBytes / 1024 ** 3 };

/** First bytes of files that are often taken for a dump, with what to do. */
const otherForms: readonly (readonly [start: string, what: string])[] = [
  ['\xff\xfe', 'is in UTF-16, as PowerShell writes it: make it again with --result-file=FILE'],
  ['\xfe\xff', 'is in UTF-16: save it as UTF-8'],
  ['BZh', 'is compressed by bzip2: unpack it first'],
  ['\xfd7zXZ', 'is compressed by xz: unpack it first'],
  ['\x28\xb5\x2f\xfd', 'is compressed by zstd: unpack it first'],
  ['7z\xbc\xaf', 'is a 7z archive: unpack it first'],
  ['Rar!', 'is a RAR archive: unpack it first'],
  ['SQLite format 3', 'is an SQLite database: a backup of Kegbot or a dump of its MySQL database is needed'],
  ['PGDMP', 'is not in the form of text: make it again with pg_dump --format=plain'],
];

/**
 * Opens what owners have of a Kegbot: the zip archive that `kegbot backup` makes, and a dump of its database, also
 * compressed by gzip. Throws `invalid_request` for any other file.
 */
export async function openBackup({ name, descriptor }: InputFile): Promise<TableSource> {
  const start = readStart(descriptor);
  const other = otherForms.find(([bytes]) => start.startsWith(bytes));
  if (other !== undefined) throw invalidBackup(name, other[1]);
  if (start.startsWith('PK')) return openArchive(name, await openZip(name, descriptor));
  const isGzip = start.startsWith('\x1f\x8b');
  return openSqlDump(name, () => requireSql(name, isGzip ? unpack(name, descriptor) : readFile(descriptor)));
}

/** A Kegbot's backup has its tables as JSON up to version 1.1, and a dump since 1.2. */
function openArchive(name: string, members: readonly ZipMember[]): TableSource {
  if (members.some(({ path }) => path.startsWith('tables/'))) return openJsonTables(name, members);
  const dumps = members.filter(({ path }) => path.endsWith('.sql'));
  const [dump] = dumps;
  if (dump === undefined || dumps.length > 1) {
    throw invalidBackup(name, 'is no backup of Kegbot: it has neither kegbot.sql nor tables/ in it');
  }
  return openSqlDump(`${name}, ${dump.path}`, () => requireSql(name, dump.open()));
}

function readStart(descriptor: number): string {
  const bytes = Buffer.alloc(512);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
}

/** A stream of Node would close the descriptor when its reader stops early. */
function* readFile(descriptor: number): Generator<Buffer> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const bytes = readSync(descriptor, chunk, 0, chunkBytes, position);
    if (bytes === 0) return;
    position += bytes;
    yield chunk.subarray(0, bytes);
  }
}

async function* unpack(name: string, descriptor: number): AsyncGenerator<Buffer> {
  let packedBytes = 0;
  let unpackedBytes = 0;
  const counted = function* () {
    for (const chunk of readFile(descriptor)) {
      packedBytes += chunk.length;
      yield chunk;
    }
  };
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  const source = Readable.from(counted());
  source.on('error', (fault) => gunzip.destroy(fault));
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      unpackedBytes += chunk.length;
      const limit = Math.max(uncheckedBytes, packedBytes * maxCompressionRatio);
      if (unpackedBytes > Math.min(maxUnpackedBytes, limit)) throw invalidBackup(name, tooMuch);
      yield chunk;
    }
  } catch (fault) {
    if (fault instanceof AppError || (fault instanceof Error && 'syscall' in fault)) throw fault;
    throw invalidBackup(name, 'is a damaged gzip file: make or copy it again');
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Passes text on; throws for a file with null bytes at its start, such as a tar archive or a picture. */
async function* requireSql(
  name: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.subarray(0, 1_024).includes(0)) {
      const isTar = chunk.toString('latin1', 257, 262) === 'ustar';
      throw invalidBackup(
        name,
        isTar ? 'is a tar archive: unpack it first' : 'is neither a backup of Kegbot nor a dump',
      );
    }
    isFirst = false;
    yield chunk;
  }
}
