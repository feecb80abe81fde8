import Type, { type Static } from 'typebox';
import { maxServingSizes } from '../../../core/kegs/serving-sizes.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Tap } from '../../../core/records.ts';
import { maxTaps } from '../../../core/taps/tap-bounds.ts';
import { tapFields } from '../../../core/taps/tap-record.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, named, Open, TapRef } from '../../routes/schemas.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { newRecordSchemas, recordChangeSchemas, toFields } from '../shared/record-schemas.ts';
import { resource } from '../shared/resource.ts';
import { tapItemJsonFor } from '../shared/staff-views.ts';
import { TapItemJson } from '../shared/tap-views.ts';
import { ChangedTapJson, changedTapReply, requireTap } from './tap-reply.ts';

const params = Open({ ref: TapRef });

const servingSizes = {
  serving_size_ids: Maybe(
    Type.Array(AnyId, {
      maxItems: maxServingSizes,
      description: 'Ids of the serving sizes that it offers, each once; empty for all sizes of the site.',
    }),
  ),
};
const NewTapJson = named(
  'NewTap',
  Closed({ ...newRecordSchemas(tapFields), ...servingSizes }, { description: 'A new tap.' }),
);
const TapChangeJson = named(
  'TapChange',
  Closed({ ...recordChangeSchemas(tapFields), ...servingSizes }, { description: 'Changes of a tap.' }),
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
      context.engine.taps.create({ ...toFields(tapFields, body), ...toSizeIds(body) }, actorContext(context)),
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
      const fields = { ...toFields(tapFields, body), ...toSizeIds(body) };
      return engine.taps.change(requireTap(engine, ref).id, fields, actorContext(context));
    },
  ),
  removeTap,
  setTapOrder,
];

const toSizeIds = ({ serving_size_ids: ids }: Pick<Static<typeof TapChangeJson>, 'serving_size_ids'>) =>
  omitUndefined({ servingSizeIds: ids?.map(toId) });
