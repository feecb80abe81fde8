import type { ActorContext } from '../../engine/engine.ts';
import type { RouteContext } from '../routes/route.ts';
import { requestActor } from './request-actor.ts';

/** Who has a change made by a request that needs somebody known, and when. */
export const actorContext = (
  context: Pick<RouteContext, 'user' | 'login' | 'tablet' | 'now'>,
): ActorContext => ({
  actor: requestActor(context),
  now: context.now,
});
