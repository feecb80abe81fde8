import { type RestoreWords, restoreEnglish } from './restore-english.ts';
import { restoreGerman } from './restore-german.ts';
import { say } from './say.ts';

/** What putting back a backup says, in the language of the reader. */
export const words: RestoreWords = say.locale === 'de' ? restoreGerman : restoreEnglish;
