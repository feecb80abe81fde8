import type { Keg } from '../../../core/records.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext, type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Open, VolumeMl } from '../../routes/schemas.ts';
import { resource } from '../shared/resource.ts';
import { KegItemJson, kegItemJson } from '../shared/staff-views.ts';
import { kegFields, NewKegJson, toKegFields, toNewKeg } from './new-keg.ts';

const params = Open({ id: Id });
const replies = { status: 200, body: KegItemJson };
const KegChangeJson = Closed(kegFields);

const kegs = resource({
  name: 'Keg',
  path: '/kegs',
  onePath: '/kegs/{id}',
  params,
  reply: KegItemJson,
  show: (keg: Keg, { user, engine }) => kegItemJson(user, engine, keg),
});

const kegAction = (
  action: { readonly id: string; readonly path: string; readonly summary: string },
  perform: (context: RouteContext, kegId: number) => ReturnType<RouteContext['engine']['kegs']['create']>,
) =>
  defineRoute({
    id: action.id,
    method: 'post',
    path: `/kegs/{id}/${action.path}`,
    summary: action.summary,
    access: 'staff',
    byPin: true,
    accepts: { params },
    replies,
    run: (context, { params: { id } }) => kegItemJson(context.user, context.engine, perform(context, id)),
  });

const spillKeg = defineRoute({
  id: 'spillKeg',
  method: 'post',
  path: '/kegs/{id}/spill',
  summary: 'Record a spill: adds to the keg’s spilled volume, without a drink or an event',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ volume_ml: VolumeMl }) },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, user, now } = context;
    return kegItemJson(user, engine, engine.kegs.spill(id, body.volume_ml, now, requestActor(context)));
  },
});

/** Routes that change kegs, for staff. */
export const kegChangeRoutes = [
  kegs.create(
    'Create a keg that is on no tap',
    NewKegJson,
    (context, body) => context.engine.kegs.create(toNewKeg(body), context.now, requestActor(context)),
    { byPin: true },
  ),
  ...kegs.change(
    'Change a keg’s size, volume, description or notes. Fields left out keep their values; a new size does not change the volume',
    { put: KegChangeJson, patch: KegChangeJson },
    (context, { id }, { body }) => context.engine.kegs.change(id, toKegFields(body), actorContext(context)),
  ),
  kegs.remove(
    'Delete a keg. Refused while it is on a tap or when it has drinks or spills',
    (context, { id }) => context.engine.kegs.remove(id, actorContext(context)),
  ),
  kegAction({ id: 'endKegOffTap', path: 'end', summary: 'End a keg that is on no tap' }, (context, id) =>
    context.engine.kegs.endOffTap(id, context.now, requestActor(context)),
  ),
  kegAction(
    { id: 'reactivateKeg', path: 'reactivate', summary: 'Make a finished keg available again' },
    (context, id) => context.engine.kegs.reactivate(id, actorContext(context)),
  ),
  spillKeg,
];
