import { AppError } from '../../../../core/app-error.ts';
import type { ImportedDrink, Imports } from '../../engine/imports.ts';
import type { ImportStaging } from '../../store/import-staging.ts';

/** Begins the name of a source that was read from a file of a Kegbot. */
export const backupPrefix = 'kegbot:';

/** The oldest drinks that are compared: their ids and times tell a server and its backups from others. */
const comparedDrinks = 20;

/**
 * The source under which staged drinks are imported: the one that some of them were imported from before, so that a server
 * and its backups are one source. Throws `conflict` when another one was named, or the server has another address.
 */
export function chooseSource(
  imports: Imports,
  staging: ImportStaging,
  wanted: { readonly source: string; readonly isNamed: boolean; readonly isFile: boolean },
): string {
  const known = imports.findSource(oldestDrinks(staging));
  if (known === null || known === wanted.source) return wanted.source;
  if (!wanted.isNamed && (wanted.isFile || known.startsWith(backupPrefix))) return known;
  throw otherSourceError(known);
}

export const otherSourceError = (source: string): AppError =>
  new AppError(
    'conflict',
    `Drinks of that server were imported from “${source}” before. If it is the same server: --source ${source}`,
  );

function oldestDrinks(staging: ImportStaging) {
  for (const page of staging.pages('drink')) {
    return page
      .slice(0, comparedDrinks)
      .map(({ key, data }) => ({ id: Number(key), pourTimeMs: (data as ImportedDrink).pourTimeMs }));
  }
  return [];
}
