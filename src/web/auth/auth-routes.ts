/** A page for somebody who is not in yet, or who proves by a mail that they are who they are. */
export type AuthPageName = 'register' | 'forgotten' | 'reset' | 'activate' | 'confirmEmail';

const routes: readonly (readonly [AuthPageName, RegExp])[] = [
  ['register', /^\/accounts\/register$/],
  ['forgotten', /^\/accounts\/password\/reset$/],
  ['reset', /^\/accounts\/password\/reset\/confirm\/([^/]+)$/],
  ['activate', /^\/account\/activate\/([^/]+)$/],
  ['confirmEmail', /^\/account\/confirm-email\/([^/]+)$/],
];

/** The way in at a path, with the secret that the link of the mail carries there; null where there is none. */
export function matchAuthRoute(
  path: string,
): { readonly page: AuthPageName; readonly secret: string } | null {
  for (const [page, pattern] of routes) {
    const match = pattern.exec(path);
    if (match) return { page, secret: match[1] ?? '' };
  }
  return null;
}

/** The two halves of what a reset link carries: whose account it is, and the token. */
export function parseResetSecret(secret: string): { readonly uid: string; readonly token: string } {
  const hyphen = secret.indexOf('-');
  return { uid: secret.slice(0, Math.max(hyphen, 0)), token: secret.slice(hyphen + 1) };
}
