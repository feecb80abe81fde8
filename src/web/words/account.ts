import { type AccountWords, accountEnglish } from './account-english.ts';
import { accountGerman } from './account-german.ts';
import { say } from './say.ts';

/** Texts of the user's own account, invitations and the bug report in the user's language. */
export const words: AccountWords = say.locale === 'de' ? accountGerman : accountEnglish;
