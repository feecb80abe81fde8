import { AppError } from '../../core/app-error.ts';

/**
 * Why a backup was created: by the nightly schedule, on a person's request, or before another version of the
 * program changes the database.
 */
export const backupOccasions = ['nightly', 'manual', 'upgrade'] as const;
export type BackupOccasion = (typeof backupOccasions)[number];

/**
 * Description of an archive. It is the first member, so that a list of backups reads only a few kilobytes of
 * each.
 */
export interface Manifest {
  /** Version of the archive format. */
  readonly format: number;
  readonly schemaVersion: number;
  /** Version of the program that created the backup. */
  readonly serverVersion: string;
  /** Version of the daemon that opened the database last, which can use it; null if none had. */
  readonly programVersion: string | null;
  /** The site's title, to distinguish the backups of two bars. */
  readonly serverName: string;
  readonly occasion: BackupOccasion;
  /** Unix milliseconds. */
  readonly createdMs: number;
  /** False if the clock was not set when the backup was created. */
  readonly clockSynced: boolean;
  /** Size of the unpacked database. */
  readonly databaseBytes: number;
  /** Number of picture files, two for each picture. */
  readonly pictureFiles: number;
  readonly pictureBytes: number;
  /** SHA-256 of the list of checksums, hexadecimal. */
  readonly checksumsSha256: string;
}

/** The format this program reads and writes. Format 1 was written before 0.1.0. */
export const archiveFormat = 2;

/** A manifest is about a page of text; a larger one is not ours, bytes. */
export const maxManifestBytes = 16_384;

/** Larger than any settings file that the program reads, bytes. */
export const maxSettingsBytes = 256 * 1024;

/** Names of the members, in their order; pictures follow the database. The settings may be missing. */
export const memberNames = {
  manifest: 'tapster-backup.json',
  checksums: 'checksums.txt',
  settings: 'settings.json',
  database: 'database.db',
} as const;

/** Names of picture members: the only folder in an archive. */
export const pictureMember = /^pictures\/([0-9a-f]{32}-(?:1024|128)\.jpg)$/;

/** Formats the manifest as indented JSON. */
export function formatManifest(manifest: Manifest): string {
  const { createdMs, ...rest } = manifest;
  const document = { program: 'tapster', ...rest, createdTime: new Date(createdMs).toISOString() };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Parses a manifest. Throws `invalid_request` if it is invalid or has another format. */
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
  if (document.format < archiveFormat) {
    throw new AppError(
      'invalid_request',
      'This backup was made by a Tapster older than 0.1.0 and cannot be restored.',
    );
  }
  if (document.format > archiveFormat) {
    throw new AppError(
      'invalid_request',
      `The backup has format ${document.format}, this program reads formats up to ${archiveFormat}: install the newer Tapster that wrote it.`,
    );
  }
  const createdMs = typeof document.createdTime === 'string' ? Date.parse(document.createdTime) : Number.NaN;
  const {
    serverVersion,
    programVersion = null,
    serverName,
    occasion,
    checksumsSha256,
    schemaVersion,
    clockSynced,
  } = document;
  const { databaseBytes, pictureFiles, pictureBytes } = document;
  const isWhole =
    isCount(schemaVersion) &&
    isText(serverVersion, 64) &&
    isText(serverName, 64) &&
    (programVersion === null || isText(programVersion, 64)) &&
    isOccasion(occasion) &&
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
    programVersion,
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

/** The error for a file that is not a Tapster backup. */
export const notABackup = (cause?: unknown): AppError =>
  new AppError('invalid_request', 'This file is not a Tapster backup.', cause === undefined ? {} : { cause });

const isOccasion = (value: unknown): value is BackupOccasion =>
  backupOccasions.some((occasion) => occasion === value);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length >= 1 && [...value].length <= max;
