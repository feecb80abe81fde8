import { join } from 'node:path';
import { toArchitecture } from '../../core/updates/manifest.ts';
import { requestFileName } from '../../core/updates/update-request.ts';
import { parseUpdateSource } from '../../core/updates/update-source.ts';
import { emptyState } from '../../core/updates/update-state.ts';
import { productVersion } from '../../system/product.ts';
import { ownReleaseFolder } from '../../system/release-folder.ts';
import type { BaseServices } from '../base-services.ts';
import type { Counting } from '../counting/counting.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';
import type { ValveControl } from '../valves/valve-control.ts';
import { keptCheckFileName } from './kept-check.ts';
import { createUpdateCheck } from './update-check.ts';
import { readState, writeRequest } from './updates.ts';

const minuteMs = 60_000;

/** Starts the update check; null where the configuration has no address for it. */
export function startUpdateCheck(
  local: Pick<BaseServices, 'config' | 'clock' | 'scheduler' | 'log'> & {
    readonly database: Pick<DatabaseLifecycle, 'engine'>;
    readonly counting: Pick<Counting, 'runningPours'>;
    readonly valves: Pick<ValveControl, 'open'>;
  },
  stateDirectory: string,
  /** The folder with the releases; null for a checkout, where nothing is installed. */
  releases: string | null = ownReleaseFolder(),
) {
  const { config, clock, database, counting, valves, scheduler, log } = local;
  const source = parseUpdateSource(config.updates);
  if (source === null) return null;
  const check = createUpdateCheck({
    source,
    clock,
    log,
    file: join(stateDirectory, keptCheckFileName),
    running: productVersion(),
    architecture: toArchitecture(process.arch),
    settings() {
      const site = database.engine()?.users.site();
      if (site === undefined) return null;
      const { updatesCheck: isEnabled, updatesInstall: install, updatesHour: hour, timeZone } = site;
      return { isEnabled, install, hour, timeZone };
    },
    updater: () => (releases === null ? null : (readState(releases) ?? emptyState)),
    request: (request) => writeRequest(join(stateDirectory, requestFileName), request),
    isIdle: () => counting.runningPours().size === 0 && valves.open().length === 0,
  });
  const stop = scheduler.every(minuteMs, check.everyMinute);
  return {
    ...check,
    /** Stops; a check that is under way is aborted. */
    async close(): Promise<void> {
      stop();
      await check.close();
    },
  };
}
