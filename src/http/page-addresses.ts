/** Matches one path segment. */
const anySegment = '[^/]+';

/** Paths of the base's pages besides `/`; `:name` stands for one segment. */
const pageAddresses = [
  '/menu',
  '/menu/qr',
  '/held',
  '/drinks',
  '/drinks/:id',
  '/d/:id',
  '/kegs',
  '/kegs/:id',
  '/beers',
  '/beers/:id',
  '/breweries',
  '/breweries/:id',
  '/taps',
  '/taps/:id',
  '/taps/:id/edit',
  '/taps/:id/calibrate',
  '/temperature-sheet',
  '/sessions',
  '/sessions/:id',
  '/s/:id',
  '/sessions/:year/:month/:day/:id',
  '/drinkers/:name',
  '/activity',
  '/statistics',
  '/controllers',
  '/wiring',
  '/meters',
  '/meters/:id',
  '/thermometers',
  '/hardware',
  '/reports',
  '/export',
  '/users',
  '/users/:name',
  '/cards',
  '/audit',
  '/site',
  '/alarms',
  '/alarm-links/:secret',
  '/mail',
  '/webhooks',
  '/backups',
  '/features',
  '/updates',
  '/https',
  '/logs',
  '/account',
  '/account/activate/:key',
  '/account/confirm-email/:token',
  '/accounts/register',
  '/accounts/password/reset',
  '/accounts/password/reset/confirm/:proof',
  '/log-in',
  '/set-up',
] as const;

/** Returns the function that tells whether the page, not a file, is served at a path; `others` are those of extensions. */
export function createPageAddresses(others: readonly string[]): (path: string) => boolean {
  const patterns = [...pageAddresses, ...others].map((one) => one.replace(/:\w+/g, anySegment));
  const pattern = new RegExp(`^(?:${patterns.join('|')})/?$`);
  return (path) => path === '/' || pattern.test(path);
}

/**
 * Returns the relative path from a page's address to the root, for its `<base>`. The page's files are referenced
 * relative to it, so that the page also works below a proxy's prefix.
 */
export function pathToRoot(path: string): string {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : '../'.repeat(depth);
}
