import { closeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { actAsOwner } from '../../../cli/act-as-owner.ts';
import { type CliIo, type Command, configOption, readArgs, UsageFault } from '../../../cli/command.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { type InputFile, openInput } from '../../../cli/open-input.ts';
import { dateOrders } from '../../../core/files/dates.ts';
import { decimalSigns } from '../../../core/files/numbers.ts';
import { loadConfig } from '../../../daemon/load-config.ts';
import { openImportStaging } from '../store/import-staging.ts';
import { type CsvKind, csvKinds } from './csv/columns.ts';
import { csvBounds } from './csv/open-csv.ts';
import { stageCsv } from './csv/stage-csv.ts';
import { createImportReport } from './import-report.ts';
import { type ImportChoices, importOptions, importStaged, withImportLock } from './import-staged.ts';
import { type ImportParts, withImports } from './with-imports.ts';

const options = {
  ...configOption,
  ...importOptions,
  beers: { type: 'string' },
  kegs: { type: 'string' },
  drinks: { type: 'string' },
  source: { type: 'string' },
  'create-users': { type: 'boolean' },
  'ignore-unknown-columns': { type: 'boolean' },
  'decimal-sign': { type: 'string' },
  'date-order': { type: 'string' },
} as const;

interface OpenFile {
  readonly kind: CsvKind;
  readonly source: InputFile;
}

/** Imports beers, kegs and drinks from CSV files. */
export const importCsvCommand = (parts: ImportParts): Command => ({
  help: `Usage: tapster import csv [--beers FILE] [--kegs FILE] [--drinks FILE] [--dry-run] [--config FILE]

Imports history from CSV files, also while the daemon runs and beer flows. The files that "tapster export" writes can be
imported as they are; docs/import.md lists the columns. Importing a file again adds only what is new.

  --dry-run                 check the files and print what would be imported; write nothing
  --skip-bad-rows           import the good rows; without it one faulty row stops everything before anything is written
  --create-users            create an account, without password, for each unknown name of a drink; without it the name is kept
                            with the drink, for staff to assign
  --source NAME             name of the site that the files come from; needed for the files of a second site, since both
                            have a keg 1
  --ignore-unknown-columns  leave out columns that are not known
  --decimal-sign SIGN       . or , where a number such as 30.000 may be meant in two ways
  --date-order ORDER        dmy, mdy or ymd where a date such as 05/02/26 may be meant in two ways
  --no-backup               do not make a backup first

  tapster export kegs > kegs.csv; tapster export drinks > drinks.csv
  tapster import csv --kegs kegs.csv --drinks drinks.csv --dry-run

Exit codes: 0 done, 64 wrong call, 65 faulty rows or no CSV file, 66 no such file, 69 or 7x the database cannot be used.
`,
  async run(args, io) {
    const { values } = readArgs(args, options);
    const source = `csv:${readSource(values.source)}`;
    const named = csvKinds.flatMap((kind) => {
      const path = values[kind];
      return path === undefined ? [] : [{ kind, path }];
    });
    if (named.length === 0) throw new UsageFault('--beers, --kegs or --drinks is missing.');
    const files: OpenFile[] = [];
    try {
      // Before root becomes the database's owner, who may not be allowed to read them.
      for (const { kind, path } of named) {
        const source = openInput(path, io, csvBounds);
        if (source === null) return exitCodes.noInput;
        files.push({ kind, source });
      }
      return await importFiles(parts, files, source, values, io);
    } finally {
      for (const file of files) closeSync(file.source.descriptor);
    }
  },
});

async function importFiles(
  parts: ImportParts,
  files: readonly OpenFile[],
  source: string,
  values: ImportChoices & {
    readonly config?: string | undefined;
    readonly 'create-users'?: boolean | undefined;
    readonly 'ignore-unknown-columns'?: boolean | undefined;
    readonly 'decimal-sign'?: string | undefined;
    readonly 'date-order'?: string | undefined;
  },
  io: CliIo,
): Promise<number> {
  const loaded = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  const database = resolve(io.cwd, loaded.config.database);
  return withImportLock(database, () =>
    withImports(parts, loaded, async (open) => {
      const staging = openImportStaging(join(dirname(database), 'import-csv.staging'));
      try {
        const report = createImportReport();
        for (const file of files) {
          await stageCsv(file, {
            engine: open.engine,
            imports: open.imports,
            now: open.now,
            staging,
            report,
            answers: {
              decimalSign: readChoice('decimal-sign', decimalSigns, values),
              dateOrder: readChoice('date-order', dateOrders, values),
            },
            ignoresUnknownColumns: values['ignore-unknown-columns'] ?? false,
            createsUsers: values['create-users'] ?? false,
          });
        }
        const fileNames = { beverage: 'beers', keg: 'kegs', drink: 'drinks', user: 'drinks' } as const;
        const nameOf = (kind: CsvKind) => files.find((file) => file.kind === kind)?.source.name ?? kind;
        return await importStaged(open, {
          io,
          source,
          isFile: true,
          staging,
          report,
          placeOf: ({ kind, line }) => `${nameOf(fileNames[kind])} line ${line}`,
          choices: values,
        });
      } finally {
        staging.remove();
      }
    }),
  );
}

function readChoice<T extends string, N extends string>(
  name: N,
  allowed: readonly T[],
  values: { readonly [key in N]?: string | undefined },
): T | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageFault(`--${name} must be one of ${allowed.join(' ')}`);
  return found;
}

function readSource(name = 'files'): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw new UsageFault('--source must have 1 to 64 letters, digits, dots, dashes or underscores.');
}
