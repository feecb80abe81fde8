import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { HouseClock } from '../../ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds } from '../../routes/schemas.ts';

/** The first instant that no bar will ask us for. */
const endOfCenturyMs = Date.UTC(2101, 0, 1);

const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Takes the time from a person’s telephone, while the Pi has not heard it from anybody. */
export const clockRoutes = (clock: HouseClock): readonly Route[] => [
  defineRoute({
    id: 'setClock',
    method: 'post',
    path: '/clock',
    summary: 'Tell the house what time it is, while nobody else has',
    access: 'same-origin',
    accepts: {
      body: Closed({
        time: Type.Union([Type.Number(), Type.String({ maxLength: 40 })], {
          description: 'Unix seconds, or ISO 8601 with its zone.',
        }),
      }),
    },
    replies: { status: 200, body: Closed({ time: IsoSeconds, clock_synced: Type.Boolean() }) },
    run({ engine, now }, { body }) {
      if (now.synced) {
        throw new AppError('conflict', 'The clock is already right, and the true time wins over ours.', {
          reason: { name: 'clock_is_right' },
        });
      }
      const wallMs = readTime(body.time);
      const newestMs = engine.clockwork.newestSyncedMs();
      if (newestMs !== null && wallMs < newestMs) {
        throw invalidTime(`must not lie before ${isoSeconds(newestMs)}, when the last drinks were poured`);
      }
      clock.setByPerson(wallMs);
      const { wallMs: nowMs, synced } = clock.now();
      return { time: isoSeconds(nowMs), clock_synced: synced };
    },
  }),
];

function readTime(time: number | string): number {
  if (typeof time === 'string' && !isoWithZone.test(time)) {
    throw invalidTime('must be Unix seconds, or ISO 8601 with its zone such as 2026-05-02T17:04:11Z');
  }
  const wallMs = typeof time === 'number' ? Math.round(time * 1000) : Date.parse(time);
  if (!(wallMs >= 0 && wallMs < endOfCenturyMs)) throw invalidTime('must be a time of this century');
  return wallMs;
}

const invalidTime = (fault: string) =>
  new AppError('invalid_request', `The time ${fault}.`, { fields: { time: fault } });
