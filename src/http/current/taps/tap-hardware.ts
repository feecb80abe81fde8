import Type, { type Static } from 'typebox';
import { AnyId, AnySensorRef, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, Open, TapRef } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { correctionOf } from '../shared/correction-id.ts';
import { endMovedPours, Moves } from './moved-meters.ts';
import { ChangedTapJson, changedTapReply, requireTap, tapReply } from './tap-reply.ts';

type Services = Pick<RouteServices, 'counting'>;

const params = Open({ ref: TapRef });

const connectMeter = (services: Services) =>
  defineRoute({
    id: 'connectMeter',
    method: 'post',
    path: '/taps/{ref}/connect-meter',
    summary: 'Connect a flow meter to a tap; null disconnects it',
    description:
      'Pours counted by the meter from then on belong to this tap; past drinks stay, and a pour that is running is recorded for the tap that ' +
      'the meter had. A tap has at most one meter. A meter of another tap is refused with 409 unless `move` is true. Written to the audit ' +
      'log; `correction_id` gives both taps back what they had.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        meter_id: Nullable({ ...AnyId, description: 'Id of the flow meter; null for none.' }),
        move: Moves,
      }),
    },
    errors: { conflict: ['meter_on_other_tap'] },
    replies: { status: 200, body: ChangedTapJson },
    run(context, { params: { ref }, body: { meter_id: meterId, move: moves = false } }) {
      const { engine } = context;
      const { id } = requireTap(engine, ref);
      const connectedId = requireExistingId({
        field: 'meter_id',
        id: meterId,
        all: engine.taps.hardware.meters(),
        noun: 'a meter',
      });
      endMovedPours(engine, services, { meterId: connectedId, tapId: id, moves });
      const connected = engine.taps.connectMeter(id, connectedId, actorContext(context), { moves });
      return changedTapReply(context, connected);
    },
  });

const swapMeters = (services: Services) =>
  defineRoute({
    id: 'swapMeters',
    method: 'post',
    path: '/taps/{ref}/swap-meters',
    summary: 'Exchange the meters of two taps, because they were mixed up',
    description:
      'Pours counted from then on belong to the right tap and keg; past drinks stay. A tap without a meter has none to give, and gets that of ' +
      'the other. Refused with 409 when neither has one. The charts of deviations begin anew. With `exchange_factors` the ports exchange ' +
      'their calibration, too, and their meters’ older evidence is outdated. Written to the audit log; `correction_id` undoes all of it.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        tap: { ...TapRef, description: 'The other tap, by its id or by the full name of its meter.' },
        exchange_factors: Maybe(
          Type.Boolean({
            default: false,
            description:
              'True when only the cables were swapped: each meter is still in the line of its tap, and its factor stays with that tap. ' +
              'False when the meters are in each other’s lines, or their taps were entered the wrong way round.',
          }),
        ),
      }),
    },
    errors: { conflict: ['no_meters'] },
    replies: { status: 200, body: ChangedTapJson },
    run(context, { params: { ref }, body: { tap: otherRef, exchange_factors: exchangesFactors } }) {
      const { engine } = context;
      const { id } = requireTap(engine, ref);
      const other = engine.taps.find(otherRef);
      if (other === null)
        throw validationError('tap', 'must be the id or meter of a tap', { name: 'exists', what: 'tap' });
      // What flowed until now is of the tap that the meter had.
      for (const one of [engine.taps.find(id), other]) {
        const meter = one?.tap.meter;
        if (meter && other.tap.id !== id) services.counting.endPour(meter.name);
      }
      engine.taps.swapMeters(
        { tapId: id, otherTapId: other.tap.id, exchangesFactors },
        actorContext(context),
      );
      return { ...tapReply(context, id), ...correctionOf(engine, 'device', { kind: 'tap', id }) };
    },
  });

const connectToggle = defineRoute({
  id: 'connectToggle',
  method: 'post',
  path: '/taps/{ref}/connect-toggle',
  summary: 'Connect a flow toggle to a tap; null disconnects it',
  description:
    'The toggle opens the valve of this tap when somebody may pour. A tap has at most one toggle. A toggle of another tap is refused ' +
    'with 409 unless `move` is true. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({
      toggle_id: Nullable({ ...AnyId, description: 'Id of the flow toggle; null for none.' }),
      move: Moves,
    }),
  },
  errors: { conflict: ['toggle_on_other_tap'] },
  replies: { status: 200, body: ChangedTapJson },
  run(context, { params: { ref }, body: { toggle_id: toggleId, move: moves = false } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const all = engine.taps.hardware.toggles();
    const connectedId = requireExistingId({ field: 'toggle_id', id: toggleId, all, noun: 'a toggle' });
    const connected = engine.taps.connectToggle(id, connectedId, actorContext(context), { moves });
    return changedTapReply(context, connected);
  },
});

const connectThermo = defineRoute({
  id: 'connectThermo',
  method: 'post',
  path: '/taps/{ref}/connect-thermo',
  summary: 'Connect a thermo sensor to a tap; several taps may share one; null disconnects it',
  description: 'Its readings are shown with the tap. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({
      thermo_sensor_id: Nullable({
        ...AnySensorRef,
        description:
          'The thermo sensor, by its id as number or text, its raw name or its display name; null for none.',
      }),
    }),
  },
  replies: { status: 200, body: ChangedTapJson },
  run(context, { params: { ref }, body: { thermo_sensor_id: sensorId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const found = sensorId === null ? null : engine.temperatures.find(sensorId);
    if (sensorId !== null && found === null)
      throw validationError('thermo_sensor_id', 'must be the id or name of a thermo sensor, or null', {
        name: 'exists',
        what: 'thermometer',
      });
    const connectedId = found?.sensor.id ?? null;
    return changedTapReply(context, engine.taps.connectThermo(id, connectedId, actorContext(context)));
  },
});

/** Routes that connect meter, valve and thermo sensor of a tap, for staff. */
export const tapHardwareRoutes = (services: Services): readonly Route[] => [
  connectMeter(services),
  swapMeters(services),
  connectToggle,
  connectThermo,
];

/** The id of an existing item, or null when null was sent; throws for an unknown id. */
function requireExistingId(reference: {
  readonly field: string;
  readonly id: Static<typeof AnyId> | null;
  readonly all: readonly { readonly id: number }[];
  readonly noun: string;
}): number | null {
  if (reference.id === null) return null;
  const id = toId(reference.id);
  if (reference.all.some((one) => one.id === id)) return id;
  throw validationError(reference.field, `must be the id of ${reference.noun}, or null`);
}
