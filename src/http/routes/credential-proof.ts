/**
 * What a route that writes a credential needs besides its `access`. A credential lets somebody act as an account or as a
 * part of the bar, or get such a right: a password, PIN, API key, login, token of a tablet or kegboard, address for
 * reset links, invitation, link in a mail, role or active account, username (one logs in by it, and a freed one can be taken), a
 * setting that decides who is let in, and a backup, which has them all. Cards and iButtons are none. An API key proves nothing:
 * whoever has a copy of it could make an access that outlives it.
 */
export type CredentialProof =
  | 'confirmed-login' // a login whose password was entered again within five minutes
  | 'current-password' // a login, and the password in the request: the handler checks it
  | 'login' // any login; for a route that only ends logins of the caller
  | 'own-cookie' // the cookie itself; for a route that only ends the login of that cookie
  | 'correction' // `confirmed-login`, if the change to be undone was one of a credential: the handler knows
  | 'password' // name and password: a log-in
  | 'mailed-link' // the secret of a link in a mail, or a mail to the stored address that gets one
  | 'invitation' // the code of an invitation, unless everybody may register
  | 'setup-code' // the code on the console
  | 'demo'; // nothing: everybody may log in to a demo

/** How a route writes credentials. */
export interface CredentialWrite {
  readonly proof: CredentialProof;
  /** Fields of the body that are credentials, if the route writes one only with them; `a.b` is a field of an object. */
  readonly fields?: readonly string[];
}

/** The part of a route that counts here. */
interface Guarded {
  readonly writesCredential?: CredentialWrite | undefined;
}

/** What a caller proves by who they are. The other proofs are secrets in the request, which the handler checks. */
export type SessionProof = 'confirmed-login' | 'login';

/** Returns what the caller must prove for a body with these fields; null for nothing. */
export function neededSessionProof(
  { writesCredential }: Guarded,
  fields: Readonly<Record<string, unknown>>,
): SessionProof | null {
  if (writesCredential === undefined) return null;
  const { proof, fields: credentials } = writesCredential;
  if (credentials !== undefined && !credentials.some((name) => hasField(fields, name))) return null;
  if (proof === 'confirmed-login') return proof;
  return proof === 'current-password' || proof === 'login' ? 'login' : null;
}

/** True if a body has a field, `a` or `a.b`. */
function hasField(fields: unknown, path: string): boolean {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? Reflect.get(inner, name)
          : undefined,
      fields,
    );
  return value !== undefined;
}

/** True if no request of the route may be made by key. */
export const refusesKeys = ({ access, writesCredential }: Guarded & { readonly access: string }): boolean =>
  access === 'confirmed-superuser' ||
  (writesCredential?.fields === undefined && neededSessionProof({ writesCredential }, {}) !== null);

/** Returns a sentence for the description of a route: what it needs besides its access. */
export function proofSentence({ writesCredential }: Guarded): string | null {
  if (writesCredential === undefined) return null;
  const { proof, fields } = writesCredential;
  const names = fields?.map((name) => `\`${name}\``).join(', ');
  switch (proof) {
    case 'confirmed-login':
      return `${names === undefined ? 'Only' : `With ${names}: only`} by a login within five minutes after \`confirmPassword\`, not by API key.`;
    case 'current-password':
    case 'login':
      return 'Not by API key.';
    default:
      return null;
  }
}
