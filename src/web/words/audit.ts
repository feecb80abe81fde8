import { type AuditWords, auditEnglish } from './audit-english.ts';
import { auditGerman } from './audit-german.ts';
import { say } from './say.ts';

/** What the book of changes says, in the language of the reader. */
export const words: AuditWords = say.locale === 'de' ? auditGerman : auditEnglish;
