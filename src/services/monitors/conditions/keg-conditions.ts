import type { Condition, Detector } from './condition.ts';

/** Kegs past their best-before day, or too long on their tap. The end of the keg or another day or limit ends the alarm. */
export const detectOldKegs: Detector = (engine, now) =>
  (engine.hooks.kegsNotFresh(now) ?? []).map(
    ({ kegId, beverage, reason, days }): Condition => ({
      kind: 'keg_not_fresh',
      subject: `keg-${kegId}-${reason}`,
      state: now.synced ? 'bad' : 'unknown',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: { keg: String(kegId), beer: beverage, reason, days },
    }),
  );
