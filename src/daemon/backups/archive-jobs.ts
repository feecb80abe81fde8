import type { BackupOccasion, Manifest } from '../../store/archive/manifest.ts';

/** The jobs of the archive process, one job per process. */
export type ArchiveJob =
  | {
      readonly kind: 'make';
      readonly database: string;
      readonly occasion: BackupOccasion;
      readonly serverVersion: string;
      readonly createdMs: number;
      readonly clockSynced: boolean;
      /** Where the archive goes: to the backups' folder, or to the open file passed as descriptor 3. */
      readonly target: 'folder' | 'descriptor';
    }
  | { readonly kind: 'copy'; readonly database: string; readonly name: string; readonly folder: string }
  | {
      readonly kind: 'prepare';
      readonly database: string;
      /** The archive's file; null reads standard input. */
      readonly archive: string | null;
      /** Version of this program, which upgrades the restored database. */
      readonly serverVersion: string;
    }
  | {
      readonly kind: 'swap';
      readonly database: string;
      /** A folder created by `prepare`. */
      readonly prepared: string;
      /** The time in the name of the folder for the former database. */
      readonly nowMs: number;
    };

/** The result of each job. */
export interface ArchiveResults {
  readonly make: {
    /** Its name in the backups' folder, null when it was written elsewhere. */
    readonly name: string | null;
    readonly manifest: Manifest;
    /** Totals that differ from their sums; the backup is kept nevertheless. */
    readonly mismatches: readonly string[];
    /** The most memory that the process had, bytes; null where the system does not tell. */
    readonly peakBytes: number | null;
  };
  readonly copy: { readonly path: string };
  readonly prepare: {
    readonly prepared: string;
    readonly manifest: Manifest;
    readonly mismatches: readonly string[];
  };
  readonly swap: {
    /** The folder beside the database that holds the former one; null when there was none. */
    readonly setAside: string | null;
  };
}

/** The job of kind `K`. */
export type JobOf<K extends ArchiveJob['kind']> = Extract<ArchiveJob, { kind: K }>;

/** The last line that the archive process prints. */
export type ArchiveAnswer =
  | { readonly done: unknown }
  | { readonly refused: { readonly code: string; readonly sentence: string; readonly cause: string } };
