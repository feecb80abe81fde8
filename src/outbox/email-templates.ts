import type { Site } from '../core/records.ts';
import type { EmailTemplateName, EmailTemplates } from '../engine/engine.ts';
import type { DaemonTexts } from '../system/catalogues.ts';
import type { Email } from './email.ts';
import { formatTemperature } from './mail-figures.ts';
import { renderReport } from './report-email.ts';

/** What the texts of a mail depend on besides its values. */
export interface MailContext {
  readonly site: Site;
  /** Texts in the reader's language. */
  readonly texts: DaemonTexts;
}

type Content = Omit<Email, 'language'>;

/** The mails that are not about an event, by the names of their templates. */
const templates: {
  readonly [L in EmailTemplateName]: (values: EmailTemplates[L], context: MailContext) => Content;
} = {
  activation: ({ username, link }, { site, texts: { t } }) => ({
    subject: t('mails.activation.subject'),
    paragraphs: [t('mails.activation.text', { site: site.title, username })],
    link: { text: t('mails.activation.link'), href: link },
  }),
  welcome: ({ username }, { texts: { t } }) => ({
    subject: t('mails.welcome.subject'),
    paragraphs: [t('mails.welcome.text', { username })],
  }),
  invitation: ({ invitedBy, link }, { site, texts: { t } }) => ({
    subject: t('mails.invitation.subject'),
    paragraphs: [
      t('mails.invitation.text', { name: invitedBy, site: site.title }),
      t('mails.invitation.ignore'),
    ],
    link: { text: t('mails.invitation.link'), href: link },
  }),
  password_reset: ({ username, link }, { texts: { t } }) => ({
    subject: t('mails.password_reset.subject'),
    paragraphs: [t('mails.password_reset.text', { username }), t('mails.ignore')],
    link: { text: t('mails.password_reset.link'), href: link },
  }),
  confirm_email: ({ username, link }, { texts: { t } }) => ({
    subject: t('mails.confirm_email.subject'),
    paragraphs: [t('mails.confirm_email.text', { username }), t('mails.ignore')],
    link: { text: t('mails.confirm_email.link'), href: link },
  }),
  report: renderReport,
  too_warm: ({ sensor, tempC, limitC }, { site, texts }) => ({
    subject: texts.t('mails.too_warm.subject', { sensor }),
    paragraphs: [
      texts.t('mails.too_warm.text', {
        sensor,
        temperature: formatTemperature(tempC, site, texts),
        limit: formatTemperature(limitC, site, texts),
      }),
      texts.t('mails.too_warm.advice'),
    ],
    footer: texts.t('mails.staff'),
  }),
  controller_silent: ({ device, minutes }, { texts: { t } }) => ({
    subject: t('mails.controller_silent.subject', { device }),
    paragraphs: [t('mails.controller_silent.text', { device, minutes }), t('mails.controller_silent.advice')],
    footer: t('mails.staff'),
  }),
  system_problem: ({ part, problems }, { texts: { t, findText } }) => ({
    subject: t('mails.system_problem.subject', { part: findText('mails.parts', part) ?? part }),
    paragraphs: [
      findText('daemon.problems', part) ?? '',
      problems
        .map(
          ({ code, params, message }) =>
            findText('daemon.problemTexts', code, params) ??
            findText('daemon.refusals', code, params) ??
            message,
        )
        .join(' '),
    ].filter((text) => text !== ''),
    footer: t('mails.staff'),
  }),
  test: ({ username }, { site, texts: { t } }) => ({
    subject: t('mails.test.subject'),
    paragraphs: [t('mails.test.text', { site: site.title, username })],
  }),
};

/** Renders a template; null if it does not exist, which a message of a newer program may name. */
export function renderEmailTemplate(name: string, values: unknown, context: MailContext): Email | null {
  if (!Object.hasOwn(templates, name)) return null;
  const render = templates[name as EmailTemplateName] as (values: unknown, context: MailContext) => Content;
  return { ...render(values, context), language: context.texts.language };
}
