import { setImmediate } from 'node:timers/promises';
import { omitUndefined } from '../core/omit-undefined.ts';
import { loadConfig } from '../daemon/load-config.ts';
import {
  type CsvDialectName,
  csvDialects,
  type ExportFormat,
  exportFormats,
  exportKinds,
} from '../engine/engine.ts';
import { extensions } from '../extensions/all.ts';
import { actAsOwner } from './act-as-owner.ts';
import { type Command, configOption, readArgs, UsageFault } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { withLoadedConfig } from './with-database.ts';

const kinds = [...exportKinds, ...extensions.flatMap(({ exports = [] }) => exports.map(({ kind }) => kind))];

/** Prints all records of one kind. */
export const exportCommand: Command = {
  help: `Usage: tapster export KIND [--format csv|jsonl|xlsx] [--dialect standard|excel] [--from TIME] [--to TIME] [--config FILE]

Prints all records of one kind on standard output, the oldest first, also while the daemon runs, and those of features that are off.

  KIND       ${kinds.join(', ')}

  --format   csv (the default), jsonl for programs: one JSON object a line, xlsx for a workbook
  --dialect  of csv: standard with times in UTC (the default), or excel for what Excel opens by a double click, with the
             signs of the site's locale and times of its time zone
  --from     only from this time on: 2026-05-02 or 2026-05-02T17:00:00Z
  --to       only before this time

  tapster export drinks --from 2026-05-01 > may.csv
  tapster export drinks --format xlsx > drinks.xlsx

Exit codes: 0 done, 64 wrong call, 69 there is no database or it cannot be used, 7x it cannot be read, 77 by this user.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(
      args,
      {
        ...configOption,
        format: { type: 'string' },
        dialect: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
      },
      ['KIND'],
    );
    const kind = parseChoice(positionals[0]!, kinds, 'KIND');
    const format = parseChoice(values.format ?? 'csv', exportFormats, '--format') as ExportFormat;
    if (values.dialect !== undefined && format !== 'csv')
      throw new UsageFault('--dialect is for --format csv only.');
    const options = omitUndefined({
      dialect:
        values.dialect === undefined
          ? undefined
          : (parseChoice(values.dialect, csvDialects, '--dialect') as CsvDialectName),
      sinceMs: values.from === undefined ? undefined : readTime(values.from, '--from'),
      untilMs: values.to === undefined ? undefined : readTime(values.to, '--to'),
    });
    const loaded = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    actAsOwner(loaded.config.database);
    await withLoadedConfig(
      loaded,
      async ({ engine }) => {
        for await (const piece of engine.reports.exports.pieces({ kind, format, ...options }, () =>
          setImmediate(),
        )) {
          io.out(piece);
          // Waits for a slow reader, because the whole export may not fit into a Pi's memory.
          if ((await io.waitForDrain?.()) === false) return;
        }
      },
      { readOnly: true },
    );
    return exitCodes.ok;
  },
};

function parseChoice(word: string, allowed: readonly string[], name: string): string {
  if (allowed.includes(word)) return word;
  throw new UsageFault(`${name} must be one of ${allowed.join(', ')}, not "${word}".`);
}

function readTime(text: string, name: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (ms >= 0) return ms;
  throw new UsageFault(`${name} must be a time such as 2026-05-02 or 2026-05-02T17:00:00Z, not "${text}".`);
}
