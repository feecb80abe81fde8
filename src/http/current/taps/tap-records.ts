import Type, { type Static } from 'typebox';
import { maxServingSizes } from '../../../core/kegs/serving-sizes.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Tap } from '../../../core/records.ts';
import { maxLineMl, maxTapNameLength, maxTapNumber, maxTaps } from '../../../core/rules/tap-bounds.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open, TapRef } from '../../routes/schemas.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { resource } from '../shared/resource.ts';
import { tapItemJsonFor } from '../shared/staff-views.ts';
import { TapItemJson } from '../shared/tap-views.ts';
import { ChangedTapJson, changedTapReply, requireTap } from './tap-reply.ts';

const params = Open({ ref: TapRef });

const name = Type.String({
  minLength: 1,
  maxLength: maxTapNameLength,
  description: 'Name of the tap, at most 128 characters. Two taps may have the same name.',
});
const optionalFields = {
  notes: Maybe(
    Nullable(
      Type.String({
        maxLength: 10_000,
        description: 'Notes, at most 10 000 characters. Shown to staff only.',
      }),
    ),
  ),
  sort_order: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Taps are listed in ascending order. A new tap without it comes last.',
    }),
  ),
  number: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: maxTapNumber,
      description:
        'Number of the tap, which guests see; no other tap may have it. A new tap without it gets the number in its name ' +
        'if that is free, else the lowest free one.',
    }),
  ),
  serving_size_ids: Maybe(
    Type.Array(AnyId, {
      maxItems: maxServingSizes,
      description: 'Ids of the serving sizes that it offers, each once; empty for all sizes of the site.',
    }),
  ),
  line_volume_ml: Maybe(
    Nullable(
      Type.Number({
        minimum: 1,
        maximum: maxLineMl,
        'x-unit': 'mL',
        description:
          'Volume of the beer line from keg to tap in millilitres: a hose holds 0.7854 · d² mL per metre, d its inner diameter in mm. ' +
          'Null when it is not known.',
      }),
    ),
  ),
  line_to_meter_ml: Maybe(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum: maxLineMl,
        'x-unit': 'mL',
        description:
          'Volume of the part of the line before the meter in millilitres, at most `line_volume_ml`. Null when it is not known.',
      }),
    ),
  ),
  has_fob: Maybe(
    Type.Boolean({
      description:
        'True when a foam-on-beer detector stops the flow as soon as the keg is empty: no gas comes out of the tap then, and the ' +
        'line stays full.',
    }),
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
  reply: ChangedTapJson,
  show: (tap: Tap, context) => changedTapReply(context, tap),
  errors: { create: { conflict: ['too_many_taps'] } },
});

const removeTap = defineRoute({
  id: 'removeTap',
  method: 'delete',
  path: '/taps/{ref}',
  summary: 'Delete a tap. Refused while a keg is on it; its meter and toggle become free, its drinks stay',
  description:
    'The drinks keep their keg, session, user and `tap_id`, which is not used again. A pour that is running is held for review ' +
    'when it ends. Undo restores the tap with its hardware, as far as that is still free. Written to the audit log.',
  access: 'staff',
  accepts: { params },
  errors: { conflict: ['keg_on_tap'] },
  replies: { status: 200, body: Closed(correctionFields) },
  run(context, { params: { ref } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    engine.taps.remove(id, actorContext(context));
    return correctionOf(engine, 'tap', { kind: 'tap', id });
  },
});

const setTapOrder = defineRoute({
  id: 'setTapOrder',
  method: 'put',
  path: '/tap-order',
  summary: 'Set the order of all taps, and number them in it if wanted',
  description:
    'Sets `sort_order` of each tap to its place in the list, from 0. Refused with 409 when the list does not name every tap ' +
    'once, because one was added or deleted since. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    body: Closed({
      tap_ids: Type.Array(AnyId, {
        maxItems: maxTaps,
        description: 'Ids of all taps, each once, the first one first.',
      }),
      renumber: Maybe(
        Type.Boolean({
          description: 'True: numbers the taps from 1 in this order. Without it each tap keeps its number.',
        }),
      ),
    }),
  },
  errors: { conflict: ['taps_changed'] },
  replies: {
    status: 200,
    body: Closed({
      taps: Type.Array(TapItemJson, { description: 'All taps in their new order.' }),
      ...correctionFields,
    }),
  },
  run(context, { body: { tap_ids: tapIds, renumber = false } }) {
    const { engine, user } = context;
    engine.taps.setOrder({ tapIds: tapIds.map(toId), renumbers: renumber }, actorContext(context));
    return {
      taps: engine.taps.list().map(tapItemJsonFor(user)),
      ...correctionOf(engine, 'tap', { kind: 'site', id: 1 }),
    };
  },
});

/** Routes that create, change, delete and order taps, for staff. */
export const tapRecordRoutes = [
  taps.create(
    {
      summary: 'Create a tap',
      description:
        'The new tap has no meter, toggle, sensor or keg: connect them with the routes below it. Written to the audit ' +
        'log, and can be undone.',
    },
    NewTapJson,
    (context, body) =>
      context.engine.taps.create({ ...toTapFields(body), name: body.name }, actorContext(context)),
  ),
  ...taps.change(
    {
      summary:
        'Change name, number, notes, serving sizes, line or sort order of a tap. Fields left out keep their values',
      description: 'Notes of null are removed. Written to the audit log, and can be undone.',
    },
    { put: NewTapJson, patch: TapChangeJson },
    (context, { ref }, { body }) => {
      const { engine } = context;
      return engine.taps.change(requireTap(engine, ref).id, toTapFields(body), actorContext(context));
    },
  ),
  removeTap,
  setTapOrder,
];

function toTapFields(body: Static<typeof TapChangeJson>) {
  const { name, notes, sort_order: sortOrder, number, serving_size_ids: sizeIds, ...line } = body;
  return omitUndefined({
    name,
    notes: notes === null ? '' : notes,
    sortOrder,
    number,
    servingSizeIds: sizeIds?.map(toId),
    lineVolumeMl: line.line_volume_ml,
    lineToMeterMl: line.line_to_meter_ml,
    hasFob: line.has_fob,
  });
}
