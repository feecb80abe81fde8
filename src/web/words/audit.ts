import { type AuditWords, auditEnglish } from './audit-english.ts';
import { auditGerman } from './audit-german.ts';
import { say } from './say.ts';

/** Texts of the audit log in the user's language. */
export const words: AuditWords = say.locale === 'de' ? auditGerman : auditEnglish;
