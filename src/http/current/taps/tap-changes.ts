import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Keg, Tap } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { AnyId, AnySensorRef, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext, type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open, TapRef } from '../../routes/schemas.ts';
import { NewKegJson, toNewKeg } from '../kegs/new-keg.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { resource } from '../shared/resource.ts';
import { tapItemJsonFor } from '../shared/staff-views.ts';
import { TapItemJson } from '../shared/views.ts';
import { requireTapView } from './taps.ts';

const params = Open({ ref: TapRef });
const replies = { status: 200, body: TapItemJson };
const kegReplies = { status: 200, body: Closed({ ...TapItemJson.properties, ...correctionFields }) };

const name = Type.String({ minLength: 1, maxLength: 128, description: 'Name of the tap.' });
const optionalFields = {
  notes: Maybe(Nullable(Type.String({ maxLength: 10_000, description: 'Shown to staff only.' }))),
  sort_order: Maybe(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Taps are listed in ascending order.' }),
  ),
};
const NewTapJson = named('NewTap', Closed({ name, ...optionalFields }, { description: 'A new tap.' }));
const TapChangeJson = named(
  'TapChange',
  Closed({ name: Maybe(name), ...optionalFields }, { description: 'Changes of a tap.' }),
);

const taps = resource({
  name: 'Tap',
  path: '/taps',
  onePath: '/taps/{ref}',
  params,
  reply: TapItemJson,
  errors: { remove: { conflict: ['keg_on_tap'] } },
  show: ({ id }: Tap, context) => tapReply(context, id),
});

const attachKeg = defineRoute({
  id: 'attachKeg',
  method: 'post',
  path: '/taps/{ref}/attach-keg',
  summary: 'Put an available keg on an empty tap',
  description:
    'The keg becomes `on_tap`, with an event `keg_tapped`. Refused with 409 when the tap has a keg, or the keg is ' +
    'on another tap or finished. If it was announced as the next one, the announcement is removed. Written to the ' +
    'audit log, and can be undone until the keg is poured from.',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ keg_id: { ...AnyId, description: 'Id of an available keg.' } }) },
  errors: { conflict: ['tap_has_keg', 'keg_finished', 'keg_on_other_tap'] },
  replies: kegReplies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    const keg = engine.kegs.get(toId(body.keg_id));
    if (!keg) throw validationError('keg_id', 'must be the id of a keg', { name: 'exists', what: 'keg' });
    return kegReply(context, id, engine.kegs.attach(id, keg.id, now, requestActor(context)));
  },
});

const startKeg = defineRoute({
  id: 'startKeg',
  method: 'post',
  path: '/taps/{ref}/start-keg',
  summary: 'Put a new keg on an empty tap',
  description:
    'Creates a keg as `POST /api/kegs` does and puts it on the tap in one step, with an event `keg_tapped`. ' +
    'Refused with 409 when the tap has a keg; nothing is created then. Can be undone until the keg is poured from, which deletes it.',
  access: 'staff',
  byPin: true,
  accepts: { params, body: NewKegJson },
  errors: { conflict: ['tap_has_keg'] },
  replies: kegReplies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    return kegReply(context, id, engine.kegs.start(id, toNewKeg(body), now, requestActor(context)));
  },
});

const endKeg = defineRoute({
  id: 'endKeg',
  method: 'post',
  path: '/taps/{ref}/end-keg',
  summary: 'End the keg on a tap',
  description:
    'The keg becomes `finished`, with an event `keg_ended`; the tap is empty. Drinks poured from then on have no ' +
    'keg. Refused with 409 when the tap is empty. Written to the audit log, and can be undone while the tap is empty.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  errors: { conflict: ['tap_is_empty'] },
  replies: kegReplies,
  run(context, { params: { ref } }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    return kegReply(context, id, engine.kegs.endOnTap(id, now, requestActor(context)));
  },
});

const connectMeter = defineRoute({
  id: 'connectMeter',
  method: 'post',
  path: '/taps/{ref}/connect-meter',
  summary: 'Connect a flow meter to a tap, from another tap if needed; null disconnects it',
  description:
    'Pours counted by the meter from then on belong to this tap; past drinks stay. A tap has at most one meter. ' +
    'Written to the audit log.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({ meter_id: Nullable({ ...AnyId, description: 'Id of the flow meter; null for none.' }) }),
  },
  replies,
  run(context, { params: { ref }, body: { meter_id: meterId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const connectedId = requireExistingId({
      field: 'meter_id',
      id: meterId,
      all: engine.hardware.meters(),
      noun: 'a meter',
    });
    return tapReply(context, engine.taps.connectMeter(id, connectedId, actorContext(context)).id);
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
  replies,
  run(context, { params: { ref }, body: { toggle_id: toggleId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    const all = engine.hardware.toggles();
    const connectedId = requireExistingId({ field: 'toggle_id', id: toggleId, all, noun: 'a toggle' });
    return tapReply(context, engine.taps.connectToggle(id, connectedId, actorContext(context)).id);
  },
});

const connectThermo = defineRoute({
  id: 'connectThermo',
  method: 'post',
  path: '/taps/{ref}/connect-thermo',
  summary: 'Connect a thermo sensor to a tap; several taps may share one; null disconnects it',
  description: 'Its readings are shown with the tap. Written to the audit log.',
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
  replies,
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
    return tapReply(context, engine.taps.connectThermo(id, connectedId, actorContext(context)).id);
  },
});

const setNext = defineRoute({
  id: 'setNext',
  method: 'put',
  path: '/taps/{ref}/next',
  summary: 'Set what comes next on a tap: an available keg, or a beverage without a keg yet',
  description:
    'Shown to guests as what comes next. Send exactly one of `keg_id` and `beverage_id`; replaces the previous ' +
    'announcement. A keg must be available. Written to the audit log.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      keg_id: Maybe({ ...AnyId, description: 'Id of an available keg.' }),
      beverage_id: Maybe({ ...AnyId, description: 'Id of a beverage of which there is no keg yet.' }),
    }),
  },
  errors: { conflict: ['keg_not_available'] },
  replies,
  run(context, { params: { ref }, body: { keg_id: kegId, beverage_id: beverageId } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    if ((kegId === undefined) === (beverageId === undefined)) {
      throw validationError('keg_id', 'or beverage_id is required, exactly one of them', {
        name: 'either',
        other: 'beverage_id',
      });
    }
    const next = kegId === undefined ? { beverageId: toId(beverageId!) } : { kegId: toId(kegId) };
    return tapReply(context, engine.taps.setNext(id, next, actorContext(context)).id);
  },
});

const removeNext = defineRoute({
  id: 'removeNext',
  method: 'delete',
  path: '/taps/{ref}/next',
  summary: 'Delete what comes next on a tap',
  description:
    'Nothing is announced for this tap any more. Succeeds when nothing was. Written to the audit log.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  replies,
  run(context, { params: { ref } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    return tapReply(context, engine.taps.setNext(id, null, actorContext(context)).id);
  },
});

/** Routes that change taps, their kegs and hardware, for staff. */
export const tapChangeRoutes = [
  taps.create(
    {
      summary: 'Create a tap',
      description:
        'The new tap has no meter, toggle, sensor or keg: connect them with the routes below it. Written to the audit ' +
        'log.',
    },
    NewTapJson,
    (context, body) =>
      context.engine.taps.create({ ...toTapFields(body), name: body.name }, actorContext(context)),
  ),
  ...taps.change(
    {
      summary: 'Change name, notes or sort order of a tap. Fields left out keep their values',
      description: 'Notes of null are removed. Written to the audit log.',
    },
    { put: NewTapJson, patch: TapChangeJson },
    (context, { ref }, { body }) => {
      const { engine } = context;
      return engine.taps.change(requireTap(engine, ref).id, toTapFields(body), actorContext(context));
    },
  ),
  taps.remove(
    {
      summary:
        'Delete a tap. Refused while a keg is on it; its meter and toggle become free, its drinks stay',
      description:
        'The drinks keep their keg, session and user; their `tap_id` becomes null. Written to the audit log.',
    },
    (context, { ref }) => {
      const { engine } = context;
      engine.taps.remove(requireTap(engine, ref).id, actorContext(context));
    },
  ),
  attachKeg,
  startKeg,
  endKeg,
  setNext,
  removeNext,
  connectMeter,
  connectToggle,
  connectThermo,
];

const requireTap = (engine: Engine, ref: string): Tap => requireTapView(engine, ref).tap;

const tapReply = ({ engine, user }: RouteContext, tapId: number): Static<typeof TapItemJson> =>
  tapItemJsonFor(user)(engine.taps.find(tapId)!);

const kegReply = (context: RouteContext, tapId: number, { id }: Keg) => ({
  ...tapReply(context, tapId),
  ...correctionOf(context.engine, 'keg', { kind: 'keg', id }),
});

function toTapFields({ name, notes, sort_order: sortOrder }: Static<typeof TapChangeJson>) {
  return omitUndefined({ name, notes: notes === null ? '' : notes, sortOrder });
}

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
