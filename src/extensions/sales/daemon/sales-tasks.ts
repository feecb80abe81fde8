import { resolve } from 'node:path';
import type { StartContext } from '../../extension.ts';
import type { SalesServices } from '../engine/sales-services.ts';
import { createSalesFolder } from './sales-folder.ts';

const minuteMs = 60_000;

/** Imports the files of the watched folder, and mails the balance of a month that is over. */
export function startSalesTasks({
  config,
  services,
  clock,
  scheduler,
  log,
  reportProblem,
}: StartContext<SalesServices>) {
  const folder =
    config.sales.folder === ''
      ? null
      : createSalesFolder({ folder: resolve(config.sales.folder), services, clock, reportProblem });
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
