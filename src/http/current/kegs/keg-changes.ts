import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Keg } from '../../../core/records.ts';
import type { Corrected } from '../../../engine/engine.ts';
import { Instant, parseInstant } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext, type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Open, VolumeMl } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf, correctionOf } from '../shared/correction-id.ts';
import { resource } from '../shared/resource.ts';
import { KegItemJson, kegItemJson } from '../shared/staff-views.ts';
import { KegChangeJson, NewKegJson, toKegChange, toNewKeg } from './new-keg.ts';

const params = Open({ id: Id });
const replies = { status: 200, body: Closed({ ...KegItemJson.properties, ...correctionFields }) };

const kegs = resource({
  name: 'Keg',
  path: '/kegs',
  onePath: '/kegs/{id}',
  params,
  reply: KegItemJson,
  errors: { remove: { conflict: ['keg_on_tap', 'keg_has_records'] } },
  show: (keg: Keg, { user, engine }) => kegItemJson(user, engine, keg),
});

/** The same records in replies to changes, with the id of their undo. */
const changedKegs = resource({
  name: 'Keg',
  path: '/kegs',
  onePath: '/kegs/{id}',
  params,
  reply: replies.body,
  show: ({ result, correctionId }: Corrected<Keg>, { user, engine }) => ({
    ...kegItemJson(user, engine, result),
    ...correctionIdOf({ correctionId }),
  }),
});

const kegReply = ({ engine, user }: RouteContext, kind: 'keg' | 'spill', keg: Keg) => ({
  ...kegItemJson(user, engine, keg),
  ...correctionOf(engine, kind, { kind: 'keg', id: keg.id }),
});

const kegAction = (
  action: {
    readonly id: string;
    readonly path: string;
    readonly summary: string;
    readonly description: string;
    readonly reason: 'keg_on_tap' | 'keg_not_finished';
  },
  perform: (context: RouteContext, kegId: number) => ReturnType<RouteContext['engine']['kegs']['create']>,
) =>
  defineRoute({
    id: action.id,
    method: 'post',
    path: `/kegs/{id}/${action.path}`,
    summary: action.summary,
    description: action.description,
    access: 'staff',
    byPin: true,
    accepts: { params },
    errors: { conflict: [action.reason] },
    replies,
    run: (context, { params: { id } }) => kegReply(context, 'keg', perform(context, id)),
  });

const spillKeg = defineRoute({
  id: 'spillKeg',
  method: 'post',
  path: '/kegs/{id}/spill',
  summary: 'Record a spill: adds to the keg’s spilled volume, without a drink or an event',
  description:
    'The volume is counted as lost, so that the remaining volume falls. May bring the keg below the low threshold ' +
    'of the site, which is reported as usual. Written to the audit log, and can be undone.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      volume_ml: { ...VolumeMl, description: 'Spilled volume in millilitres.' },
      time: Maybe(Instant('When it was spilled; now unless given, and for a time in the future.')),
    }),
  },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const { volume_ml: volumeMl, time } = body;
    const timeMs = time === undefined ? undefined : parseInstant(engine, 'time', time);
    const spill = { volumeMl, ...omitUndefined({ timeMs }) };
    return kegReply(context, 'spill', engine.kegs.spillAt(id, spill, now, requestActor(context)));
  },
});

/** Routes that change kegs, for staff. */
export const kegChangeRoutes = [
  kegs.create(
    {
      summary: 'Create a keg that is on no tap',
      description:
        'The beverage is given by `beverage_id`, or by `beverage_name` with `producer_name` and `style_name`: a ' +
        'beverage with exactly these names is used, and created if there is none. The volume is that of the size ' +
        'unless `full_volume_ml` is given. The keg is `available` until it is put on a tap. Written to the audit log.',
    },
    NewKegJson,
    (context, body) => context.engine.kegs.create(toNewKeg(body), context.now, requestActor(context)),
    { byPin: true },
  ),
  ...changedKegs.change(
    {
      summary:
        'Change a keg’s beverage, size, volume, times, description or notes. Fields left out keep their values; a new size does not change the volume',
      description:
        'The state of a keg is not changed here. Percentages and low-level warnings follow the new volume at once. Its ' +
        'drinks count as drinks of the new beverage, at its prices. Written to the audit log, and can be undone.',
    },
    { put: KegChangeJson, patch: KegChangeJson },
    (context, { id }, { body }) =>
      context.engine.kegs.change(id, toKegChange(context.engine, body), context.now, requestActor(context)),
  ),
  kegs.removeWithUndo(
    {
      summary: 'Delete a keg. Refused while it is on a tap or when it has drinks or spills',
      description:
        'For kegs that were created by mistake. A keg that was poured from stays, so that its drinks keep it: end it ' +
        'instead. Written to the audit log, and can be undone: then it is there again under its id.',
    },
    (context, { id }) => correctionIdOf(context.engine.kegs.remove(id, actorContext(context))),
  ),
  kegAction(
    {
      id: 'endKegOffTap',
      path: 'end',
      summary: 'End a keg that is on no tap',
      description:
        'The keg becomes `finished`, with an event. Refused with 409 for a keg that is on a tap, which `POST /api/taps/{ref}/end-keg` ends. A finished keg stays as it is. Written to the audit log, and can be undone.',
      reason: 'keg_on_tap',
    },
    (context, id) => context.engine.kegs.endOffTap(id, context.now, requestActor(context)),
  ),
  kegAction(
    {
      id: 'reactivateKeg',
      path: 'reactivate',
      summary: 'Make a finished keg available again',
      description:
        'For a keg that was ended by mistake: it can be put on a tap again and keeps its drinks and volumes. Refused with 409 unless the keg is finished. Written to the audit log.',
      reason: 'keg_not_finished',
    },
    (context, id) => context.engine.kegs.reactivate(id, actorContext(context)),
  ),
  spillKeg,
];
