import { type Actor, actorOf } from '../engine/engine.ts';
import type { RouteContext } from './route.ts';

/** Who acts by a request that needs somebody known, and by which door. */
export function actorIn({ user, login }: Pick<RouteContext, 'user' | 'login'>): Actor {
  if (user === null) throw new Error('A route that leaves a trace must know who calls it.');
  return actorOf(user, login === null ? 'key' : 'page');
}
