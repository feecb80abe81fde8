import type { Site } from '../core/records.ts';
import type { MailLanguage } from '../core/rules/mail-languages.ts';
import type { EmailTemplateName } from '../engine/engine.ts';
import type { Email } from './email.ts';
import { english } from './mail-texts/english.ts';
import { german } from './mail-texts/german.ts';
import type { MailTexts } from './mail-texts/mail-texts.ts';

/** The texts of all mails by language. */
export const mailTexts: Readonly<Record<MailLanguage, MailTexts>> = { en: english, de: german };

/** Renders a template; null if it does not exist, which a message of a newer program may name. */
export function renderEmailTemplate(
  name: string,
  values: unknown,
  { site, language }: { readonly site: Site; readonly language: MailLanguage },
): Email | null {
  const { templates } = mailTexts[language];
  if (!Object.hasOwn(templates, name)) return null;
  const render = templates[name as EmailTemplateName] as (values: unknown, site: Site) => Email;
  return render(values, site);
}
