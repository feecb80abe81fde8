import { loadConfig } from '../config/load.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { type ExportFormat, type ExportKind, exportFormats, exportKinds } from '../engine/engine.ts';
import { actAsOwner } from './act-as-owner.ts';
import { type Command, configOption, readArgs, UsageFault } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { withLoadedConfig } from './with-database.ts';

/** Prints all records of one kind. */
export const exportCommand: Command = {
  help: `Usage: tapster export KIND [--format csv|jsonl] [--from TIME] [--to TIME] [--config FILE]

Prints all drinks, kegs, sessions or temperatures on standard output, the oldest first, also while the daemon runs.

  --format  csv for spreadsheets (the default), jsonl for programs: one JSON object a line
  --from    only from this time on: 2026-05-02 or 2026-05-02T17:00:00Z
  --to      only before this time

  tapster export drinks --from 2026-05-01 > may.csv

Exit codes: 0 done, 64 wrong call, 69 or 7x the database cannot be read.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(
      args,
      { ...configOption, format: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
      ['KIND'],
    );
    const kind = parseChoice(positionals[0]!, exportKinds, 'KIND') as ExportKind;
    const format = parseChoice(values.format ?? 'csv', exportFormats, '--format') as ExportFormat;
    const span = omitUndefined({
      sinceMs: values.from === undefined ? undefined : readTime(values.from, '--from'),
      untilMs: values.to === undefined ? undefined : readTime(values.to, '--to'),
    });
    const loaded = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    actAsOwner(loaded.config.database);
    await withLoadedConfig(
      loaded,
      async ({ engine }) => {
        for (const piece of engine.exports.pieces({ kind, format, ...span })) {
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
