import { passwordFault, passwordLength } from '../../../core/users/password-rules.ts';
import { t } from '../../locales/locale.ts';

/** What a field for a new password needs: limits, what is allowed, and what is wrong while it is typed. */
export const newPassword = () =>
  ({
    minLength: passwordLength.least,
    maxLength: passwordLength.most,
    autocomplete: 'new-password',
    hint: t('auth.passwordHint'),
    check: describeFault,
  }) as const;

/** What is wrong with a password, without those of the list of common ones, which only the daemon has. */
function describeFault(password: string): string | undefined {
  const { least, most } = passwordLength;
  switch (passwordFault(password)) {
    case 'blank':
      return t('daemon.rules.not_blank');
    case 'length':
      return t('daemon.rules.text_from_to', { least, most });
    case 'repeated':
      return t('daemon.rules.password_repeated');
    case 'in a row':
      return t('daemon.rules.password_in_a_row');
    case null:
      return undefined;
  }
}
