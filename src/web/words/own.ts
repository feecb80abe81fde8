import { type OwnWords, ownEnglish } from './own-english.ts';
import { ownGerman } from './own-german.ts';
import { say } from './say.ts';

/** What one's own account, invitations and the bug report say, in the language of the reader. */
export const words: OwnWords = say.locale === 'de' ? ownGerman : ownEnglish;
