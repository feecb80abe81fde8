import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Maybe } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const MeterName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Full name, such as `pi.flow0`.',
});

/** Generates pulses on simulated meters; refused when the taps are real. */
export const simulatorRoutes = ({ simulator }: Pick<RouteServices, 'simulator'>): readonly Route[] => [
  defineRoute({
    id: 'simulatePulses',
    method: 'post',
    path: '/simulator/pulses',
    summary: 'Generate pulses on a simulated meter',
    description:
      'For demos and tests: the pulses are counted like those of a real meter and become a pour when they end. ' +
      'Answers at once with the time they take. 409 when the taps are real, 404 for an unknown meter.',
    access: 'loopback',
    accepts: {
      body: Closed({
        meter: MeterName,
        ticks: Type.Integer({
          minimum: 1,
          maximum: 100_000,
          'x-unit': 'ticks',
          description: 'Number of pulses.',
        }),
        hz: Type.Number({ minimum: 0.1, maximum: 2_000, 'x-unit': 'Hz', description: 'Pulses per second.' }),
        echoes: Maybe(
          Type.Array(MeterName, {
            maxItems: 16,
            description: 'Meters that count the same pulses, as with crosstalk between cables.',
          }),
        ),
      }),
    },
    errors: { not_found: [], conflict: ['taps_not_simulated'], too_many: ['queue_full'] },
    replies: {
      status: 202,
      body: Closed({
        meter: MeterName,
        ticks: Type.Integer({ minimum: 1, 'x-unit': 'ticks', description: 'Number of pulses.' }),
        seconds: Type.Number({ minimum: 0, 'x-unit': 's', description: 'Seconds that the pulses take.' }),
      }),
    },
    run(_context, { body }) {
      if (simulator === null) {
        throw new AppError('conflict', 'The taps are real. Only simulated taps can generate pulses.', {
          reason: { name: 'taps_not_simulated' },
        });
      }
      const { meter, echoes = [] } = body;
      const unknownMeter = [meter, ...echoes].find((name) => !simulator.meters.includes(name));
      if (unknownMeter !== undefined) {
        const available = simulator.meters.join(', ') || 'none';
        throw new AppError(
          'not_found',
          `No simulated meter is called “${unknownMeter}”. There are: ${available}.`,
        );
      }
      simulator.pulse(body);
      return { meter: body.meter, ticks: body.ticks, seconds: body.ticks / body.hz };
    },
  }),
];
