import { type Actor, toActor, toTabletActor } from '../../engine/engine.ts';
import type { RouteContext } from '../routes/route.ts';

/** Returns the actor of an authenticated request: the user, and whether by key, page or tablet. */
export function requestActor({
  user,
  login,
  tablet,
}: Pick<RouteContext, 'user' | 'login' | 'tablet'>): Actor {
  if (user === null) throw new Error('The route must require an authenticated user.');
  if (tablet !== null) return toTabletActor(user, tablet.name);
  return toActor(user, login === null ? 'key' : 'page');
}
