import type { Clock } from '../../core/clock/moment.ts';
import type { Engine, LoginLine } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';

/** Interval of thinning old temperatures, seconds; while more are left, every second. */
const thinningIntervalS = 60;

/** Periodic maintenance of the database in small steps: thins old temperatures, removes those of deleted sensors, and what extensions keep for some time only, writes what is summed up about logins, and continues interrupted erasures of users. */
export function createMaintenance({
  engine,
  clock,
  log,
  logLogin,
}: {
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes one line about logins to the log. */
  readonly logLogin: (log: Logger, line: LoginLine) => void;
}) {
  let untilThinningS = thinningIntervalS;
  let isFailing = false;

  const logLogins = (lines: readonly LoginLine[]) => {
    for (const line of lines) logLogin(log, line);
  };

  function step(openEngine: Engine): void {
    openEngine.users.personalData.continueErasure();
    logLogins(openEngine.users.loginLog.flush(clock.now()));
    untilThinningS -= 1;
    if (untilThinningS > 0) return;
    untilThinningS = thinningIntervalS;
    openEngine.temperatures.purgeDeleted(clock.now());
    const thinned = openEngine.temperatures.history.thin(clock.now());
    openEngine.site.oldRecords.remove(clock.now());
    if (thinned > 0) untilThinningS = 1;
  }

  return {
    /** Writes what is still only in memory. */
    finish(): void {
      const openEngine = engine();
      if (openEngine !== null) logLogins(openEngine.users.loginLog.flush(clock.now(), { all: true }));
    },
    /** Called every second. A failure is logged once, and the step is tried again. */
    everySecond(): void {
      const openEngine = engine();
      if (openEngine === null) return;
      try {
        step(openEngine);
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'database maintenance failed; trying again every second');
        isFailing = true;
      }
    },
  };
}
