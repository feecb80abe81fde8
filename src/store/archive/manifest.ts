import { AppError } from '../../core/app-error.ts';

/** How a backup came to be made: by the house at night, or because a person asked. */
export type BackupOccasion = 'nightly' | 'by_hand';

/** What an archive says of itself; its first member, so that a list of backups reads only its first few kilobytes. */
export interface Manifest {
  /** The archive's own form; a newer program may write another. */
  readonly format: number;
  readonly schemaVersion: number;
  readonly serverVersion: string;
  /** The house's title, so that two bars' sticks can be told apart. */
  readonly serverName: string;
  readonly occasion: BackupOccasion;
  /** Unix milliseconds. */
  readonly createdMs: number;
  /** False when nobody had told the Pi the time yet. */
  readonly clockSynced: boolean;
  /** Size of the unpacked ledger. */
  readonly databaseBytes: number;
  /** Files of pictures in it, two a picture. */
  readonly pictureFiles: number;
  readonly pictureBytes: number;
  /** SHA-256 of the list of checksums, in hexadecimal digits. */
  readonly checksumsSha256: string;
}

/** The form this program writes, and the newest it reads. */
export const archiveFormat = 1;

/** The manifest is a page of text; more is no manifest of ours, bytes. */
export const maxManifestBytes = 16_384;

/** Names of the members, in their order; pictures follow the ledger. */
export const memberNames = {
  manifest: 'tapster-backup.json',
  checksums: 'checksums.txt',
  database: 'database.db',
} as const;

/** A picture's member: the only folder in an archive, and the only names in it. */
export const pictureMember = /^pictures\/([0-9a-f]{32}-(?:1024|128)\.jpg)$/;

/** The manifest as it stands in the archive, readable for people too. */
export function formatManifest(manifest: Manifest): string {
  const { createdMs, ...rest } = manifest;
  const document = { program: 'tapster', ...rest, createdTime: new Date(createdMs).toISOString() };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads a manifest. Throws `invalid_request` with a sentence when it is none, or one of a newer program. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notABackup();
  }
  if (typeof value !== 'object' || value === null) throw notABackup();
  const document = value as Record<string, unknown>;
  if (document.program !== 'tapster' || !isCount(document.format) || document.format < 1) throw notABackup();
  if (document.format > archiveFormat) {
    throw new AppError(
      'invalid_request',
      `The backup has form ${document.format}, this program reads forms up to ${archiveFormat}: install the newer Tapster that wrote it.`,
    );
  }
  const createdMs = typeof document.createdTime === 'string' ? Date.parse(document.createdTime) : Number.NaN;
  const { serverVersion, serverName, occasion, checksumsSha256, schemaVersion, clockSynced } = document;
  const { databaseBytes, pictureFiles, pictureBytes } = document;
  const isWhole =
    isCount(schemaVersion) &&
    isText(serverVersion, 64) &&
    isText(serverName, 64) &&
    (occasion === 'nightly' || occasion === 'by_hand') &&
    createdMs >= 0 &&
    typeof clockSynced === 'boolean' &&
    isCount(databaseBytes) &&
    isCount(pictureFiles) &&
    isCount(pictureBytes) &&
    typeof checksumsSha256 === 'string' &&
    isSha256(checksumsSha256);
  if (!isWhole) throw notABackup();
  return {
    format: document.format,
    schemaVersion,
    serverVersion,
    serverName,
    occasion,
    createdMs,
    clockSynced,
    databaseBytes,
    pictureFiles,
    pictureBytes,
    checksumsSha256,
  };
}

/** 64 hexadecimal digits. */
export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The refusal of a file that is no archive of ours. */
export const notABackup = (cause?: unknown): AppError =>
  new AppError('invalid_request', 'This file is no backup of Tapster.', cause === undefined ? {} : { cause });

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length >= 1 && [...value].length <= max;
