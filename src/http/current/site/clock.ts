import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

/** Times from 2101 on are refused as typing errors. */
const endOfCenturyMs = Date.UTC(2101, 0, 1);

const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Sets the clock from a browser's time while it is not synchronized: a Pi has no battery-backed clock. */
export const clockRoutes = ({ clock }: Pick<RouteServices, 'clock'>): readonly Route[] => [
  defineRoute({
    id: 'setClock',
    method: 'post',
    path: '/clock',
    summary: 'Set the clock while it is not synchronized',
    access: 'same-origin',
    accepts: {
      body: Closed({
        time: Type.Union([Type.Number(), Type.String({ maxLength: 40 })], {
          description: 'Unix seconds, or ISO 8601 with a time zone.',
        }),
      }),
    },
    replies: { status: 200, body: Closed({ time: IsoSeconds, clock_synced: Type.Boolean() }) },
    run({ engine, now }, { body }) {
      if (now.synced) {
        throw new AppError('conflict', 'The clock is already synchronized and cannot be set by hand.', {
          reason: { name: 'clock_synchronized' },
        });
      }
      const wallMs = readTime(body.time);
      const newestMs = engine.clockCorrection.newestSyncedMs();
      if (newestMs !== null && wallMs < newestMs) {
        throw invalidTime(`must not be before ${isoSeconds(newestMs)}, the time of the newest drinks`);
      }
      clock.setManually(wallMs);
      const { wallMs: nowMs, synced } = clock.now();
      return { time: isoSeconds(nowMs), clock_synced: synced };
    },
  }),
];

function readTime(time: number | string): number {
  if (typeof time === 'string' && !isoWithZone.test(time)) {
    throw invalidTime('must be Unix seconds, or ISO 8601 with a time zone such as 2026-05-02T17:04:11Z');
  }
  const wallMs = typeof time === 'number' ? Math.round(time * 1000) : Date.parse(time);
  if (!(wallMs >= 0 && wallMs < endOfCenturyMs)) throw invalidTime('must be between 1970 and 2100');
  return wallMs;
}

const invalidTime = (fault: string) =>
  new AppError('invalid_request', `The time ${fault}.`, { fields: { time: fault } });
