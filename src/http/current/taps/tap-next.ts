import type { Tap } from '../../../core/records.ts';
import type { Corrected } from '../../../engine/engine.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, type RouteContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Open, TapRef } from '../../routes/schemas.ts';
import { correctionIdOf } from '../shared/correction-id.ts';
import { ChangedTapJson, requireTap, tapReply } from './tap-reply.ts';

const params = Open({ ref: TapRef });
const replies = { status: 200, body: ChangedTapJson };

const setNext = defineRoute({
  id: 'setNext',
  method: 'put',
  path: '/taps/{ref}/next',
  summary: 'Set what comes next on a tap: an available keg, or a beverage without a keg yet',
  description:
    'Shown to guests as what comes next. Send exactly one of `keg_id` and `beverage_id`; replaces the previous ' +
    'announcement. A keg must be available. Written to the audit log, and can be undone.',
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
    return nextReply(context, engine.taps.setNext(id, next, actorContext(context)));
  },
});

const removeNext = defineRoute({
  id: 'removeNext',
  method: 'delete',
  path: '/taps/{ref}/next',
  summary: 'Delete what comes next on a tap',
  description:
    'Nothing is announced for this tap any more. Succeeds when nothing was. Written to the audit log, and can be undone.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  replies,
  run(context, { params: { ref } }) {
    const { engine } = context;
    const { id } = requireTap(engine, ref);
    return nextReply(context, engine.taps.setNext(id, null, actorContext(context)));
  },
});

/** Routes that change what comes next on a tap, for staff. */
export const tapNextRoutes: readonly Route[] = [setNext, removeNext];

/** Call it in the same step as the change. */
const nextReply = (context: RouteContext, changed: Corrected<Tap>) => ({
  ...tapReply(context, changed.result.id),
  ...correctionIdOf(changed),
});
