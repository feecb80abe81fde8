import type { Backup } from '../../store/archive/backup-folder.ts';
import type { BackupOccasion } from '../../store/archive/manifest.ts';

const occasions: Readonly<Record<BackupOccasion, string>> = {
  nightly: 'nightly',
  manual: 'manual',
  upgrade: 'before an upgrade',
};

/** One line for each backup: date, occasion, the version that wrote the database, size and path. */
export function backupTable(backups: readonly (Backup & { readonly path: string })[]): string {
  return backups
    .map(({ path, sizeBytes, manifest }) =>
      [
        manifest.clockSynced
          ? `${new Date(manifest.createdMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
          : 'date not known      ',
        occasions[manifest.occasion].padEnd(17),
        `version ${toPrintable(manifest.programVersion ?? 'not known')}, schema ${manifest.schemaVersion}`,
        `${(sizeBytes / 1e6).toFixed(1)} MB`.padStart(9),
        path,
      ].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** A backup on a stick may come from anywhere: no control characters reach the terminal. */
const toPrintable = (text: string): string => text.replaceAll(/[^\w .+-]/g, '?');
