import type { Static } from 'typebox';
import { AnyId, AnySensorRef, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Nullable, Open, TapRef } from '../../routes/schemas.ts';
import { ChangedTapJson, changedTapReply, requireTap } from './tap-reply.ts';

const params = Open({ ref: TapRef });

const connectMeter = defineRoute({
  id: 'connectMeter',
  method: 'post',
  path: '/taps/{ref}/connect-meter',
  summary: 'Connect a flow meter to a tap, from another tap if needed; null disconnects it',
  description:
    'Pours counted by the meter from then on belong to this tap; past drinks stay. A tap has at most one meter. ' +
    'Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({ meter_id: Nullable({ ...AnyId, description: 'Id of the flow meter; null for none.' }) }),
  },
  replies: { status: 200, body: ChangedTapJson },
  run(context, { params: { ref }, body: { meter_id: meterId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const connectedId = requireExistingId({
      field: 'meter_id',
      id: meterId,
      all: engine.hardware.meters(),
      noun: 'a meter',
    });
    return changedTapReply(context, engine.taps.connectMeter(id, connectedId, actorContext(context)));
  },
});

const connectToggle = defineRoute({
  id: 'connectToggle',
  method: 'post',
  path: '/taps/{ref}/connect-toggle',
  summary: 'Connect a flow toggle to a tap, from another tap if needed; null disconnects it',
  description:
    'The toggle opens the valve of this tap when somebody may pour. A tap has at most one toggle. Written to the ' +
    'audit log.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({ toggle_id: Nullable({ ...AnyId, description: 'Id of the flow toggle; null for none.' }) }),
  },
  replies: { status: 200, body: ChangedTapJson },
  run(context, { params: { ref }, body: { toggle_id: toggleId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const all = engine.hardware.toggles();
    const connectedId = requireExistingId({ field: 'toggle_id', id: toggleId, all, noun: 'a toggle' });
    return changedTapReply(context, engine.taps.connectToggle(id, connectedId, actorContext(context)));
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
    const found = sensorId === null ? null : engine.thermo.find(sensorId);
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
export const tapHardwareRoutes = [connectMeter, connectToggle, connectThermo];

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
