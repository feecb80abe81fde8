import type { TableParts } from '../shared/table-parts.ts';
import { pictureFiles } from './picture-files.ts';
import { pictureUploadsTable } from './picture-uploads-table.ts';
import { picturesTable } from './pictures-table.ts';

/** Pictures; `databaseFile` is that beside which their files are. */
export const createPictureTables = ({ db, caches }: TableParts, databaseFile: string) => ({
  ...picturesTable(db, caches),
  uploads: pictureUploadsTable(db),
  /** In `pictures/` beside the database. */
  files: pictureFiles(databaseFile),
});
