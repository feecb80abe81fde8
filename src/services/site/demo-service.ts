import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { DemoService } from '../../http/ports.ts';
import { noteNewSite } from '../../store/site-files.ts';
import type { BaseServices } from '../base-services.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';

/** Files of the database, the database itself last: its log must never be read into a new one. */
const suffixes = ['-wal', '-shm', ''] as const;

/** Time from one reset of the demo to the next, milliseconds. Everybody in the network may ask for one. */
const minResetIntervalMs = 60_000;

/** True for the demo: there is no settings file, and no real meter or relay. */
export const isDemo = ({ config, settingsFile }: Pick<BaseServices, 'config' | 'settingsFile'>): boolean =>
  settingsFile === null && config.gpio.driver === 'simulated' && config.demo.kegs;

/** Creates what only the demo can do. */
export function createDemoService({
  config,
  log,
  database,
}: Pick<BaseServices, 'config' | 'log'> & {
  readonly database: Pick<DatabaseLifecycle, 'replace'>;
}): DemoService {
  const file = resolve(config.database);
  /** Outlives the database, unlike what the app counts. */
  let lastReset: Moment | null = null;

  function requireInterval(now: Moment): void {
    const ageMs = lastReset === null ? minResetIntervalMs : now.monoMs - lastReset.monoMs;
    if (ageMs >= minResetIntervalMs) return;
    const seconds = Math.ceil((minResetIntervalMs - ageMs) / 1_000);
    throw new AppError('too_many', `The demo was reset recently. Reset it again in ${seconds} s.`, {
      reason: { name: 'demo_reset_recently', seconds },
      retryAfterS: seconds,
    });
  }

  return {
    async reset(now) {
      requireInterval(now);
      // Opened again, a missing database is created with taps and kegs, as at the first start.
      await database.replace(async () => {
        noteNewSite(file);
        for (const suffix of suffixes) await rm(`${file}${suffix}`, { force: true });
      });
      lastReset = now;
      log.info({ database: file }, 'the demo was reset');
    },
  };
}
