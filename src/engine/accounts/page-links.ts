import { AppError } from '../../core/app-error.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Links in mails; `house` is what every address of this house begins with, `http://bar.example`. */
export const registerLink = (house: string, code: string): string =>
  `${house}/accounts/register/?invite_code=${code}`;

export const activationLink = (house: string, key: string): string => `${house}/account/activate/${key}/`;

export const resetLink = (house: string, user: User, token: string): string =>
  `${house}/accounts/password/reset/confirm/${user.id}-${token}/`;

export const confirmEmailLink = (house: string, token: string): string =>
  `${house}/account/confirm-email/${token}`;

/** Throws `conflict` where no mail leaves the house. */
export function mustSendMail(store: Store): void {
  if (store.mailSettings.read().host !== '') return;
  throw new AppError('conflict', 'This house sends no mail: ask the staff, who can help without.', {
    reason: { name: 'no_mail' },
  });
}
