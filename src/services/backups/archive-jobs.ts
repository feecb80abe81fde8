import type { Problem } from '../../core/health/problems.ts';
import type { Refusal } from '../../core/reasons.ts';
import type { BackupOccasion, Manifest } from '../../store/archive/manifest.ts';

/** The jobs of the archive process, one job per process. */
export type ArchiveJob =
  | {
      readonly kind: 'make';
      readonly database: string;
      /** Path of the settings file, which goes into the archive; null if there is none. */
      readonly settings: string | null;
      readonly occasion: BackupOccasion;
      readonly serverVersion: string;
      readonly createdMs: number;
      readonly clockSynced: boolean;
      /** Where the archive goes: to the backups' folder, or to the open file passed as descriptor 3. */
      readonly target: 'folder' | 'descriptor';
    }
  | { readonly kind: 'copy'; readonly database: string; readonly name: string; readonly folder: string }
  | {
      /** Reads the settings file in an archive on standard input. */
      readonly kind: 'settings';
    }
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
      /** Path of the settings file in use, to be compared with the one of the backup; null if there is none. */
      readonly settings: string | null;
      /** The time in the name of the folder for the former database. */
      readonly nowMs: number;
    };

/** The result of each job. */
export interface ArchiveResults {
  readonly make: {
    /** Its name in the backups' folder, null when it was written elsewhere. */
    readonly name: string | null;
    readonly manifest: Manifest;
    /** False if there is no settings file, or it could not be read. */
    readonly hasSettings: boolean;
    /** Totals that differ from their sums; the backup is kept nevertheless. */
    readonly mismatches: readonly string[];
    /** The most memory that the process had, bytes; null where the system does not tell. */
    readonly peakBytes: number | null;
  };
  readonly copy: { readonly path: string };
  readonly settings: {
    /** Its text; null if the archive has none. */
    readonly text: string | null;
  };
  readonly prepare: {
    readonly prepared: string;
    readonly manifest: Manifest;
    readonly mismatches: readonly string[];
  };
  readonly swap: {
    /** The folder beside the database that holds the former one; null when there was none. */
    readonly setAside: string | null;
    /** Where the settings file of the backup is, if it differs from the one in use; else null. */
    readonly otherSettings: string | null;
  };
}

/** The job of kind `K`. */
export type JobOf<K extends ArchiveJob['kind']> = Extract<ArchiveJob, { kind: K }>;

/** The last line that the archive process prints. */
export type ArchiveAnswer =
  | { readonly done: unknown }
  | {
      readonly refused: {
        readonly code: string;
        readonly sentence: string;
        readonly cause: string;
        /** Of the system, for the exit code of a command. */
        readonly errno?: string;
        readonly path?: string;
        readonly reason?: Refusal;
        readonly problem?: Problem;
      };
    };
