import type { Readable } from 'node:stream';

/** A backup that lies beside the ledger. */
export interface StoredBackup {
  readonly name: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
  /** False when nobody had told the Pi the time when it was made. */
  readonly clockSynced: boolean;
  readonly occasion: 'nightly' | 'by_hand';
  readonly pictureFiles: number;
  readonly serverName: string;
  readonly serverVersion: string;
  readonly schemaVersion: number;
  readonly format: number;
}

/** How the making of backups goes. */
export interface BackupState {
  /** The one that is being made. */
  readonly running: { readonly occasion: StoredBackup['occasion']; readonly sinceMs: number } | null;
  /** What went wrong with the last one, or with its copy; null when nothing did. */
  readonly problem: string | null;
}

/** The backups of the house, in the hands of the staff. */
export interface Backups {
  /** The newest first. */
  list(): Promise<readonly StoredBackup[]>;
  state(): BackupState;
  /** Begins one; returns at once. Throws `conflict` while one is being made. */
  start(): void;
  /** Its bytes; null when there is no such backup. */
  open(name: string): Promise<{ readonly stream: Readable; readonly sizeBytes: number } | null>;
  /** False when there is no such backup. */
  remove(name: string): Promise<boolean>;
}

/** One line of the log as it is shown to staff; secrets are struck out of it already. */
export interface LogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly message: string;
  /** What was told beside the message, as JSON of one line; empty when nothing was. */
  readonly details: string;
}

/** What came of a restore. */
export interface RestoreResult {
  /** When the backup was made, Unix milliseconds. */
  readonly createdMs: number;
  /** True when totals in it are not the sums they stand for. */
  readonly isDoubtful: boolean;
}

/** What the daemon lets staff see of itself. */
export interface AdminService {
  readonly backups: Backups;
  /** The last few hundred lines of the log, the newest first. */
  recentLog(): readonly LogLine[];
  /** A text that tells what there is to know of this house, without people, keys and addresses. */
  bugReport(): Promise<string>;
  /** What `restore` finds by name: among the house's own backups, and in the folder of their copies. The newest first. */
  restorable(): Promise<readonly StoredBackup[]>;
  /**
   * Puts a backup in the place of the ledger, which is set aside: one that is `restorable`, or a file that was sent.
   * Everything in it is looked at first. Throws `invalid_request` and `not_found`, and then nothing has changed.
   */
  restore(from: { readonly name: string } | { readonly path: string }): Promise<RestoreResult>;
}
