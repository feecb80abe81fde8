import { type RestoreWords, restoreEnglish } from './restore-english.ts';
import { restoreGerman } from './restore-german.ts';
import { say } from './say.ts';

/** Texts of restoring a backup in the user's language. */
export const words: RestoreWords = say.locale === 'de' ? restoreGerman : restoreEnglish;
