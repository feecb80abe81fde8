import type { Access, Route } from './route.ts';

/**
 * First parts of the paths that the log-in of a demo may write to: the daily work at the bar, and its settings. Everybody
 * in the network has this log-in, so that nothing here gives access that lasts (accounts, keys, tablets, kegboards), sends
 * anything to another machine (mails, webhooks), or tells about this one. What is added later is refused until it is here.
 */
const writablePaths: ReadonlySet<string> = new Set([
  'auth',
  'beverage-producers',
  'beverages',
  'claims',
  'controllers',
  'corrections',
  'demo',
  'drinks',
  'flow-meters',
  'flow-toggles',
  'held-pours',
  'kegs',
  'merges',
  'serving-sizes',
  'sessions',
  'simulator',
  'site',
  'tap-order',
  'taps',
  'thermo-sensors',
]);

/** What it may not read: log, bug report, backups, mail server and webhooks, exports, and what only an owner needs. */
const hiddenPaths: ReadonlySet<string> = new Set(['admin', 'api-keys', 'export', 'tablets']);

/** What it may read below these: what staff see of simulated hardware and the day's work. */
const readableOperations: ReadonlySet<string> = new Set([
  'getBusinessSettings',
  'getWiring',
  'listGrants',
  'listOpenValves',
  'listUnknownTokens',
]);

/** Operations of writable paths that it may not use. */
const refusedOperations: ReadonlySet<string> = new Set(['confirmPassword']);

/** Guests may use these without the log-in. */
const openAccess: ReadonlySet<Access> = new Set(['open', 'viewer', 'setup', 'same-origin', 'tablet']);

/** Whether the log-in of a demo may use a route. */
export function isAllowedInDemo({
  id,
  method,
  path,
  access,
  isShownInDemo = false,
}: Pick<Route, 'id' | 'method' | 'path' | 'access' | 'isShownInDemo'>): boolean {
  if (openAccess.has(access)) return true;
  const first = path.split('/')[1] ?? '';
  if (method === 'get') return isShownInDemo || !hiddenPaths.has(first) || readableOperations.has(id);
  return writablePaths.has(first) && !refusedOperations.has(id);
}
