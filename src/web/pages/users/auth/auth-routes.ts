/** A page for users without a login, or one that is opened by the link of an e-mail. */
export type AuthPageName = 'register' | 'forgotten' | 'reset' | 'activate' | 'confirmEmail';

const routes: readonly (readonly [AuthPageName, RegExp])[] = [
  ['register', /^\/accounts\/register$/],
  ['forgotten', /^\/accounts\/password\/reset$/],
  ['reset', /^\/accounts\/password\/reset\/confirm\/([^/]+)$/],
  ['activate', /^\/account\/activate\/([^/]+)$/],
  ['confirmEmail', /^\/account\/confirm-email\/([^/]+)$/],
];

/** Returns the auth page at a path with the secret from the e-mail's link, or null. */
export function matchAuthRoute(
  path: string,
): { readonly page: AuthPageName; readonly secret: string } | null {
  for (const [page, pattern] of routes) {
    const match = pattern.exec(path);
    if (match) return { page, secret: match[1] ?? '' };
  }
  return null;
}

/** Splits the secret of a reset link into user id and token. */
export function parseResetSecret(secret: string): { readonly uid: string; readonly token: string } {
  const hyphen = secret.indexOf('-');
  return { uid: secret.slice(0, Math.max(hyphen, 0)), token: secret.slice(hyphen + 1) };
}
