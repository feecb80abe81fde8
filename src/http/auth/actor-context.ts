import type { ActorContext } from '../../engine/engine.ts';
import type { RouteContext } from '../routes/route.ts';
import { requestActor } from './request-actor.ts';

/** Returns who makes a change, and when. The route must require an authenticated user. */
export const actorContext = (
  context: Pick<RouteContext, 'user' | 'login' | 'tablet' | 'now'>,
): ActorContext => ({
  actor: requestActor(context),
  now: context.now,
});
