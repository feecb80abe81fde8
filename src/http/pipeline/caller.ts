import type { User } from '../../core/records.ts';
import type { Tablet } from '../../engine/engine.ts';

/** The parts of a request that identify the caller. */
export interface Credentials {
  readonly key: string | null;
  /** Token of the login cookie, on routes that accept logins. */
  readonly loginToken: string | null;
  /** Token of a shared tablet's cookie, on routes that accept logins. */
  readonly tabletToken: string | null;
}

/** Who sent a request. A key takes precedence over a login. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'key'; readonly user: User }
  | { readonly kind: 'bad key'; readonly refused: 'unknown' | 'inactive' }
  | {
      readonly kind: 'login';
      readonly user: User;
      readonly loginId: number;
      /** True for the login of a demo. */
      readonly isDemo: boolean;
      readonly extended: boolean;
    }
  /** A shared tablet; `user` is set while a PIN unlock is valid. */
  | {
      readonly kind: 'tablet';
      readonly tablet: Tablet;
      readonly extended: boolean;
      readonly user?: User;
    }
  /** An expired login. The caller is anonymous and the cookie is removed. */
  | { readonly kind: 'stale login' };

/** The user of a caller: of the key, the login or the PIN unlock. */
export const callerUser = (caller: Caller): User | null => ('user' in caller ? (caller.user ?? null) : null);
