import type { BackupOccasion, Manifest } from '../../store/archive/manifest.ts';

/** What the archive process can be told to do; one job a process. */
export type ArchiveJob =
  | {
      readonly kind: 'make';
      readonly database: string;
      readonly occasion: BackupOccasion;
      readonly serverVersion: string;
      readonly createdMs: number;
      readonly clockSynced: boolean;
      /** Where the archive goes: among the other backups, or into the open file that is handed over as number 3. */
      readonly target: 'folder' | 'handed-over';
    }
  | { readonly kind: 'copy'; readonly database: string; readonly name: string; readonly folder: string }
  | {
      readonly kind: 'prepare';
      readonly database: string;
      /** The archive's file; null reads standard input. */
      readonly archive: string | null;
    }
  | {
      readonly kind: 'swap';
      readonly database: string;
      /** A folder that `prepare` has made. */
      readonly prepared: string;
      /** Dates the folder of what is set aside. */
      readonly nowMs: number;
    };

/** What each job gives. */
export interface ArchiveResults {
  readonly make: {
    /** Its name in the backups' folder, null when it went elsewhere. */
    readonly name: string | null;
    readonly manifest: Manifest;
    /** Totals that are not their sums; the backup is kept all the same. */
    readonly mismatches: readonly string[];
  };
  readonly copy: { readonly path: string };
  readonly prepare: {
    readonly prepared: string;
    readonly manifest: Manifest;
    readonly mismatches: readonly string[];
  };
  readonly swap: {
    /** The folder beside the ledger that holds the former one; null when there was none. */
    readonly setAside: string | null;
  };
}

/** The job of one kind. */
export type JobOf<K extends ArchiveJob['kind']> = Extract<ArchiveJob, { kind: K }>;

/** What the archive process prints as its last line. */
export type ArchiveAnswer =
  | { readonly done: unknown }
  | { readonly refused: { readonly code: string; readonly sentence: string; readonly cause: string } };
