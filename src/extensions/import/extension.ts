import { defineExtension } from '../extension.ts';
import { importsTable } from './store/imports-table.ts';
import { importSchema } from './store/schema.ts';

/** History from CSV files, and from a Kegbot: its server, a backup or a dump. */
export const historyImport = defineExtension({
  name: 'import',
  isOnByDefault: true,
  schema: importSchema,
  personData: {
    cleans: ['import_records.local_id'],
    byUser: [`DELETE FROM import_records WHERE kind = 'user' AND local_id = @id`],
  },
  beverageIds: [
    {
      table: 'import_records',
      column: 'local_id',
      where: `kind = 'beverage'`,
      key: ['source_id', 'kind', 'key'],
    },
  ],
  tables: importsTable,
  services: async () => (await import('./engine/imports.ts')).createImports,
  commands: [
    {
      name: 'import csv',
      summary: 'import beers, kegs and drinks from CSV files, also those of tapster export',
      load: async () => (await import('./cli/import-csv.ts')).importCsvCommand,
    },
    {
      name: 'import kegbot',
      summary:
        'import people, beverages, kegs and drinks of a Kegbot (server, backup or dump) or of another Tapster',
      load: async () => (await import('./cli/import-kegbot.ts')).importKegbotCommand,
    },
    {
      name: 'import undo',
      summary: 'list what was imported, or remove the drinks and kegs of one source',
      load: async () => (await import('./cli/import-undo.ts')).importUndoCommand,
    },
  ],
  texts: ['import.'],
});
