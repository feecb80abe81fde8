import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportRun } from '../engine/imports.ts';
import type { ImportStaging, StagedRecord } from '../store/import-staging.ts';
import type { ImportReport } from './import-report.ts';

/**
 * Time that one transaction should take, milliseconds. The daemon waits for it at most a second before a pour, and longer
 * than its own transaction takes anyway nobody notices.
 */
const stepMs = 100;

/**
 * Pause between two transactions, milliseconds. SQLite looks every 100 ms whether a lock is free, so within a longer pause
 * every waiting transaction of the daemon begins.
 */
const pauseMs = 110;

const firstStep = 20;
const maxStep = 500;

/** Records of the next transaction, after one of so many took so long. */
const nextStep = (records: number, tookMs: number): number =>
  Math.round(Math.min(maxStep, Math.max(firstStep, (records * stepMs) / Math.max(1, tookMs))));

const kinds = ['user', 'beverage', 'keg', 'drink'] as const;

/** Clock and timer of an import; tests pass their own. */
export interface ImportTimers {
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const systemTimers: ImportTimers = {
  nowMs: () => performance.now(),
  sleep: async (ms) => void (await sleep(ms)),
};

/** Shows how far the import is. */
type ShowProgress = (done: number, total: number) => void;

/** Adds what the records would do to the report, and writes nothing. */
export function planImport(
  run: ImportRun,
  staging: ImportStaging,
  report: ImportReport,
  placeOf: PlaceOf,
): void {
  for (const kind of kinds) {
    for (const records of staging.pages(kind)) addOutcomes(run, records, report, placeOf);
  }
}

/** Names the file and line, or the remote record, of a staged one. */
export type PlaceOf = (record: StagedRecord) => string;

/**
 * Writes the records in short transactions with pauses, so that a running daemon records pours without noticeable delay.
 */
export async function writeImport(
  run: ImportRun,
  {
    staging,
    report,
    placeOf,
    drinksThrough = 0,
    showProgress,
    timers = systemTimers,
  }: {
    readonly staging: ImportStaging;
    readonly report: ImportReport;
    readonly placeOf: PlaceOf;
    /** Remembered for the source when all is written. */
    readonly drinksThrough?: number;
    readonly showProgress: ShowProgress;
    readonly timers?: ImportTimers;
  },
): Promise<void> {
  const total = kinds.reduce((sum, kind) => sum + staging.count(kind), 0);
  let done = 0;
  let step = firstStep;
  for (const kind of kinds) {
    for (const records of staging.pages(kind)) {
      let first = 0;
      while (first < records.length) {
        const part = records.slice(first, first + step);
        const startedMs = timers.nowMs();
        addOutcomes(run, part, report, placeOf);
        const tookMs = timers.nowMs() - startedMs;
        first += part.length;
        done += part.length;
        step = nextStep(part.length, tookMs);
        showProgress(done, total);
        await timers.sleep(pauseMs);
      }
    }
  }
  for (const _step of run.finish(report.counts, drinksThrough)) await timers.sleep(pauseMs);
}

/** Calls `work` with a number of records until it returns 0, in the same steps and pauses; returns the sum. */
export async function repeatInSteps(
  work: (records: number) => number,
  timers: ImportTimers = systemTimers,
): Promise<number> {
  let sum = 0;
  let step = firstStep;
  for (;;) {
    const startedMs = timers.nowMs();
    const records = work(step);
    if (records === 0) return sum;
    sum += records;
    step = nextStep(records, timers.nowMs() - startedMs);
    await timers.sleep(pauseMs);
  }
}

function addOutcomes(
  run: ImportRun,
  records: readonly StagedRecord[],
  report: ImportReport,
  placeOf: PlaceOf,
): void {
  run.add(records).forEach((outcome, index) => {
    const record = records[index]!;
    if ('fault' in outcome) {
      const [field, allowed] = Object.entries(outcome.fault.fields ?? {})[0] ?? [null, outcome.fault.message];
      report.addBad({ place: placeOf(record), column: field, message: allowed });
      return;
    }
    report.counts[record.kind][outcome.result] += 1;
    // Notes about people name them.
    if (outcome.note !== undefined)
      report.addNote(record.kind === 'user' ? outcome.note : `${placeOf(record)}: ${outcome.note}.`);
    if (record.kind === 'drink' && outcome.result === 'new') {
      report.addVolume((record.data as { readonly volumeMl: number }).volumeMl);
    }
    if (outcome.missingKeg !== undefined) report.addMissingKeg(outcome.missingKeg);
  });
}
