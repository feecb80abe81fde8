import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { Instant, parseInstant, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

/** Sets the clock from a browser's time while it is not synchronized: a Pi has no battery-backed clock. */
export const clockRoutes = ({ clock }: Pick<RouteServices, 'clock'>): readonly Route[] => [
  defineRoute({
    id: 'setClock',
    method: 'post',
    path: '/clock',
    summary: 'Set the clock while it is not synchronized',
    description:
      'A Pi has no battery-backed clock: while it has not heard the time, a browser may set it. Drinks recorded ' +
      'before are moved to their right time. 409 once the clock is synchronized, 400 for a time before the newest ' +
      'drink.',
    access: 'same-origin',
    accepts: {
      body: Closed({
        time: Instant('The time that it is now.'),
      }),
    },
    errors: { conflict: ['clock_synchronized'] },
    replies: {
      status: 200,
      body: Closed({
        time: { ...IsoSeconds, description: 'UTC time of the clock now.' },
        clock_synced: Type.Boolean({ description: 'True: the clock counts as synchronized.' }),
      }),
    },
    run({ engine, now }, { body }) {
      if (now.synced) {
        throw new AppError('conflict', 'The clock is already synchronized and cannot be set by hand.', {
          reason: { name: 'clock_synchronized' },
        });
      }
      const wallMs = parseInstant(engine, 'time', body.time);
      const newestMs = engine.drinks.clockCorrection.newestSyncedMs();
      if (newestMs !== null && wallMs < newestMs) {
        throw validationError(
          'time',
          `must not be before ${isoSeconds(newestMs)}, the time of the newest drinks`,
        );
      }
      clock.setManually(wallMs);
      const { wallMs: nowMs, synced } = clock.now();
      return { time: isoSeconds(nowMs), clock_synced: synced };
    },
  }),
];
