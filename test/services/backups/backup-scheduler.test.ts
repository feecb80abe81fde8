import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { createBackupScheduler } from '../../../src/services/backups/backup-scheduler.ts';
import { isBackupName } from '../../../src/store/archive/backup-folder.ts';
import { fillBar, openingMs } from './filled-bar.ts';

const hour = 3_600_000;

// A backup is made by a process of lowest priority, which waits for all others of a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** A bar in Berlin whose business day ends at 4:00, with its backup scheduler; it is Saturday evening. */
function createBar({ copyTo = null as string | null, isEnabled = true } = {}) {
  const bar = fillBar();
  let now: Moment = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  const problems: (string | null)[] = [];
  const open = () =>
    createBackupScheduler({
      database: bar.database,
      settings: null,
      serverVersion: '0.1.0',
      clock: { now: () => now },
      schedule: () => ({ rule: { timeZone: 'Europe/Berlin', endsMinutes: 240 }, isEnabled }),
      copyTo,
      reportProblem: (current) => problems.push(joinMessages(current)),
      log: { info() {} } as never,
    });
  const scheduler = open();
  return {
    ...bar,
    problems,
    scheduler,
    open,
    turn: (changed: Partial<Moment>) => {
      now = { ...now, ...changed };
    },
    later(ms: number) {
      now = { ...now, monoMs: now.monoMs + ms, wallMs: now.wallMs + ms };
    },
    /** Runs `everyMinute` and waits for all work that it starts. */
    async minute(of = scheduler) {
      of.everyMinute();
      // Reading the folder for the first time may start a backup, which is a second promise.
      let work: Promise<void> | null = null;
      while (work !== of.whenIdle()) {
        work = of.whenIdle();
        await work;
      }
    },
    listMade: () => readdirSync(bar.backups).filter(isBackupName).sort(),
  };
}

test('one backup is made for each business day, when it has ended', async () => {
  const bar = createBar();
  await bar.minute();
  // There is no backup yet, so one is made at once.
  expect(bar.listMade()).toEqual(['tapster-20260502T170000Z-nightly.tar.gz']);
  await bar.minute();
  bar.later(8 * hour); // 3:00 in Berlin
  await bar.minute();
  expect(bar.listMade()).toHaveLength(1);
  bar.later(hour); // 4:00
  await bar.minute();
  await bar.minute();
  expect(bar.listMade()).toHaveLength(2);
  // The daemon was off for three nights.
  bar.later(75 * hour);
  const next = bar.open();
  await bar.minute(next);
  await bar.minute(next);
  expect(bar.listMade()).toHaveLength(3);
  expect(bar.problems.every((one) => one === null)).toBe(true);
});

test('the last seven nightly backups are kept, and manual ones do not count', async () => {
  const bar = createBar();
  bar.scheduler.start();
  expect(() => bar.scheduler.start()).toThrow('already');
  await bar.scheduler.whenIdle();
  for (let night = 0; night < 9; night++) {
    await bar.minute();
    bar.later(24 * hour);
  }
  expect(bar.listMade().filter((name) => name.includes('nightly'))).toHaveLength(7);
  expect(bar.listMade()[0]).toBe('tapster-20260502T170000Z-manual.tar.gz');
  const listed = await bar.scheduler.list();
  expect(listed.map(({ name }) => name)).toEqual(bar.listMade().sort().reverse());
});

test('no backup is made before the clock is set, or when nightly backups are off', async () => {
  const bar = createBar();
  bar.turn({ synced: false });
  await bar.minute();
  bar.turn({ synced: true });
  expect(readdirSync(bar.home)).not.toContain('backups');
  const unwanted = createBar({ isEnabled: false });
  await unwanted.minute();
  expect(readdirSync(unwanted.home)).not.toContain('backups');
});

test('a backup dated in the future by a wrong clock delays no other and is removed in turn', async () => {
  const bar = createBar();
  bar.turn({ wallMs: Date.UTC(2031, 0, 1) });
  await bar.minute();
  bar.turn({ wallMs: openingMs });
  await bar.minute();
  expect(bar.listMade()).toHaveLength(2);
  for (let night = 0; night < 7; night++) {
    bar.later(24 * hour);
    await bar.minute();
  }
  expect(bar.listMade()).toHaveLength(7);
  expect(bar.listMade().some((name) => name.includes('2031'))).toBe(false);
});

test('a nightly backup is copied to the stick and verified; a missing stick is reported until it is back', async () => {
  const stick = join(mkdtempSync(join(tmpdir(), 'tapster-stick-')), 'stick');
  const bar = createBar({ copyTo: stick });
  await bar.minute();
  expect(bar.problems).toEqual([expect.stringContaining('does not exist')]);
  expect(bar.scheduler.state().problems.map(({ code }) => code)).toEqual([
    'nightly_backup_failed',
    'backup_not_copied',
    'copy_folder_missing',
  ]);
  expect(bar.listMade()).toHaveLength(1);
  mkdirSync(stick);
  writeFileSync(join(stick, 'holiday.jpg'), 'not ours');
  for (let night = 0; night < 8; night++) {
    bar.later(24 * hour);
    await bar.minute();
  }
  expect(bar.problems.slice(1)).toEqual(Array(8).fill(null));
  expect(readdirSync(stick)).toHaveLength(8);
  expect(readdirSync(stick)).toContain('holiday.jpg');
  expect(statSync(join(stick, bar.listMade().at(-1)!)).size).toBe(
    statSync(join(bar.backups, bar.listMade().at(-1)!)).size,
  );
});

test('a failed backup is reported in one sentence and tried again an hour later', async () => {
  const bar = createBar();
  bar.store.close();
  rmSync(bar.database);
  await bar.minute();
  expect(bar.problems).toEqual([expect.stringMatching(/^The nightly backup failed\. /)]);
  bar.later(hour / 2);
  await bar.minute();
  expect(bar.problems).toHaveLength(1);
  bar.later(hour / 2);
  await bar.minute();
  expect(bar.problems).toHaveLength(2);
  expect(readdirSync(bar.backups)).toEqual([]);
});

test('a damaged database makes no backup, so the good ones of the last week stay', async () => {
  const bar = createBar();
  await bar.minute();
  const [good] = bar.listMade();
  bar.store.close();
  const { readFileSync } = await import('node:fs');
  const bytes = readFileSync(bar.database);
  bytes.fill(0x5a, 4_096);
  writeFileSync(bar.database, bytes);
  chmodSync(bar.database, 0o600);
  bar.later(24 * hour);
  await bar.minute();
  expect(bar.problems.at(-1)).toMatch(/damaged|could not|failed/);
  expect(bar.listMade()).toEqual([good]);
});
