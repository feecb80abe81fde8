import { type OfficeWords, officeEnglish } from './office-english.ts';
import { officeGerman } from './office-german.ts';
import { say } from './say.ts';

/** What the pages of mail and webhooks say, in the language of the reader. */
export const words: OfficeWords = say.locale === 'de' ? officeGerman : officeEnglish;
