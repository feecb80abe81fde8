import type { Readable } from 'node:stream';
import type { Problem } from '../core/health/problems.ts';

/** A stored backup. */
export interface StoredBackup {
  readonly name: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
  /** False when the clock was not synchronized when the backup was made. */
  readonly clockSynced: boolean;
  readonly occasion: 'nightly' | 'manual' | 'upgrade';
  readonly pictureFiles: number;
  readonly serverName: string;
  readonly serverVersion: string;
  /** Version of the daemon that opened the database last; null if none had. */
  readonly programVersion: string | null;
  readonly schemaVersion: number;
  readonly format: number;
}

/** The state of the backups. */
export interface BackupState {
  /** The backup that is being made. */
  readonly running: { readonly occasion: StoredBackup['occasion']; readonly sinceMs: number } | null;
  /** The problems with the last backup or its copy. */
  readonly problems: readonly Problem[];
  /** Time of the newest nightly backup, Unix milliseconds; null if there is none, or until the folder was read. */
  readonly newestNightlyMs: number | null;
}

/** The backups of the site, for staff. */
export interface Backups {
  /** The newest first. */
  list(): Promise<readonly StoredBackup[]>;
  state(): BackupState;
  /** Starts a backup; returns at once. Throws `conflict` while one is running. */
  start(): void;
  /** Returns its content; null when there is no such backup. */
  open(name: string): Promise<{ readonly stream: Readable; readonly sizeBytes: number } | null>;
  /** Deletes a backup; false when there is no such backup. */
  remove(name: string): Promise<boolean>;
}

/** One log line for staff, with secrets already removed. */
interface LogLine {
  /** Rises from line to line. */
  readonly id: number;
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly message: string;
  /** Further details as one line of JSON; empty if there are none. */
  readonly details: string;
}

/** The result of a restore. */
export interface RestoreResult {
  /** When the backup was made, Unix milliseconds. */
  readonly createdMs: number;
  /** True when stored totals differ from the sums of their rows. */
  readonly hasWrongTotals: boolean;
  /** True when the backup has a settings file that differs from the one in use, which stays. */
  readonly hasOtherSettings: boolean;
}

/** The daemon's services for staff: backups, log, bug report, restore. */
export interface AdminService {
  readonly backups: Backups;
  /** The last 1 000 lines of the log, those of earlier runs included, the newest first. */
  recentLog(): readonly LogLine[];
  /** A text with everything needed for a bug report, without people, keys and addresses. */
  bugReport(): Promise<string>;
  /** The backups that `restore` finds by name: in the backup folder and in the folder of copies. The newest first. */
  restorable(): Promise<readonly StoredBackup[]>;
  /**
   * Replaces the database with a backup that is `restorable`, or with an uploaded file; the old database is kept under
   * another name. The backup is checked completely first. Throws `invalid_request` or `not_found` without any change.
   */
  restore(from: { readonly name: string } | { readonly path: string }): Promise<RestoreResult>;
}
