import { resolve } from 'node:path';
import type { ConfiguredContext } from '../../extension.ts';
import type { SalesSettings } from '../config/settings-group.ts';
import type { SalesServices } from '../engine/sales-services.ts';
import { createSalesFolder } from './sales-folder.ts';

const minuteMs = 60_000;

/** Imports the files of the watched folder, and mails the balance of a month that is over. */
export function startSalesTasks({
  settings: { folder: path },
  services,
  clock,
  scheduler,
  log,
  reportProblem,
}: ConfiguredContext<SalesServices, SalesSettings>) {
  const folder =
    path === '' ? null : createSalesFolder({ folder: resolve(path), services, clock, reportProblem });
  const stop = scheduler.every(minuteMs, () => {
    folder?.everyMinute();
    try {
      services()?.balances.mailMonthWhenDue(clock.now());
    } catch (err) {
      log.warn({ err }, 'the balance of the month cannot be mailed now; trying again');
    }
  });
  return {
    async close(): Promise<void> {
      stop();
      await folder?.close();
    },
  };
}
