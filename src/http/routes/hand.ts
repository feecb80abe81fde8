import type { ActorContext } from '../../engine/engine.ts';
import { actorIn } from '../doors/actor.ts';
import type { RouteContext } from './route.ts';

/** Who has a change made by a request that needs somebody known, and when. */
export const handIn = (context: Pick<RouteContext, 'user' | 'login' | 'tablet' | 'now'>): ActorContext => ({
  actor: actorIn(context),
  now: context.now,
});
