import { type AccountWords, accountEnglish } from './account-english.ts';
import { accountGerman } from './account-german.ts';
import { say } from './say.ts';

/** What one's own account, invitations and the bug report say, in the language of the reader. */
export const words: AccountWords = say.locale === 'de' ? accountGerman : accountEnglish;
