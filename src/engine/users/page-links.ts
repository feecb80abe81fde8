import { AppError } from '../../core/app-error.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Links in mails; `siteUrl` is the base URL, `http://bar.example`. */
export const registerLink = (siteUrl: string, code: string): string =>
  `${siteUrl}/accounts/register/?invite_code=${code}`;

export const activationLink = (siteUrl: string, key: string): string => `${siteUrl}/account/activate/${key}/`;

export const resetLink = (siteUrl: string, user: User, token: string): string =>
  `${siteUrl}/accounts/password/reset/confirm/${user.id}-${token}/`;

export const confirmEmailLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/account/confirm-email/${token}`;

/** Throws `conflict` when no mail server is set. */
export function requireMailServer(store: Store): void {
  if (store.mailSettings.read().host !== '') return;
  throw new AppError('conflict', 'No mail server is set up: ask the staff for help.', {
    reason: { name: 'no_mail' },
  });
}
