import { actorContext } from '../../auth/actor-context.ts';
import { requestActor } from '../../auth/request-actor.ts';
import { defineRoute, type RouteContext } from '../../routes/route.ts';
import { Closed, Id, Open, VolumeMl } from '../../routes/schemas.ts';
import { KegItemJson, kegItemJson } from '../shared/staff-views.ts';
import { kegFields, NewKegJson, toKegFields, toNewKeg } from './new-keg.ts';

const params = Open({ id: Id });
const replies = { status: 200, body: KegItemJson };

const createKeg = defineRoute({
  id: 'createKeg',
  method: 'post',
  path: '/kegs',
  summary: 'Create a keg that is on no tap',
  access: 'staff',
  byPin: true,
  accepts: { body: NewKegJson },
  replies: { status: 201, body: KegItemJson },
  run(context, { body }) {
    const { engine, user, now } = context;
    return kegItemJson(user, engine, engine.kegs.create(toNewKeg(body), now, requestActor(context)));
  },
});

const changeKeg = (method: 'put' | 'patch') =>
  defineRoute({
    id: method === 'put' ? 'replaceKeg' : 'changeKeg',
    method,
    path: '/kegs/{id}',
    summary:
      'Change a keg’s size, volume, description or notes. Fields left out keep their values; a new size does not change the volume',
    access: 'staff',
    accepts: { params, body: Closed(kegFields) },
    replies,
    run(context, { params: { id }, body }) {
      const { engine, user } = context;
      return kegItemJson(user, engine, engine.kegs.change(id, toKegFields(body), actorContext(context)));
    },
  });

const removeKeg = defineRoute({
  id: 'removeKeg',
  method: 'delete',
  path: '/kegs/{id}',
  summary: 'Delete a keg. Refused while it is on a tap or when it has drinks or spills',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    context.engine.kegs.remove(id, actorContext(context));
    return {};
  },
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
  createKeg,
  changeKeg('put'),
  changeKeg('patch'),
  removeKeg,
  kegAction({ id: 'endKegOffTap', path: 'end', summary: 'End a keg that is on no tap' }, (context, id) =>
    context.engine.kegs.endOffTap(id, context.now, requestActor(context)),
  ),
  kegAction(
    { id: 'reactivateKeg', path: 'reactivate', summary: 'Make a finished keg available again' },
    (context, id) => context.engine.kegs.reactivate(id, actorContext(context)),
  ),
  spillKeg,
];
