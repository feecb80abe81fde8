/** A part of an address that stands for anything but a slash. */
const anySegment = '[^/]+';

/** Every address of the page beside its front, as written in the browser; `:name` stands for one part of it. */
export const pageAddresses = [
  '/kiosk',
  '/menu',
  '/held',
  '/drinks',
  '/drinks/:id',
  '/d/:id',
  '/kegs',
  '/kegs/:id',
  '/taps/:id',
  '/taps/:id/calibrate',
  '/sessions',
  '/statistics',
  '/controllers',
  '/wiring',
  '/reports',
  '/users',
  '/audit',
  '/site',
  '/mail',
  '/webhooks',
  '/audit',
  '/webhooks',
  '/mail',
  '/backups',
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

const pattern = new RegExp(
  `^(?:${pageAddresses.map((one) => one.replace(/:\w+/g, anySegment)).join('|')})/?$`,
);

/** Whether the page, rather than a file, is at this path. */
export const isPageAddress = (path: string): boolean => path === '/' || pattern.test(path);

/**
 * The way from a page's address back to the front, for its `<base>`: the page's own files are named relative to it, so
 * that everything also works below a proxy's prefix.
 */
export function pathToRoot(path: string): string {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : '../'.repeat(depth);
}
