import type { EmailTemplates } from '../../engine/engine.ts';
import type { Email, MailContext } from './email.ts';
import type { MailContent } from './own-mails.ts';
import { renderReport } from './report-email.ts';

/** The mails that are about neither an event nor an alarm, by the names of their templates. */
const templates: {
  readonly [L in keyof EmailTemplates]: (values: EmailTemplates[L], context: MailContext) => MailContent;
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
  test: ({ username }, { site, texts: { t } }) => ({
    subject: t('mails.test.subject'),
    paragraphs: [t('mails.test.text', { site: site.title, username })],
  }),
};

/** Renders a template; null if it does not exist, which a message of a newer program may name. */
export function renderEmailTemplate(name: string, values: unknown, context: MailContext): Email | null {
  const { language } = context.texts;
  if (!Object.hasOwn(templates, name)) return null;
  const render = templates[name as keyof EmailTemplates] as (
    values: unknown,
    context: MailContext,
  ) => MailContent;
  return { ...render(values, context), language };
}
