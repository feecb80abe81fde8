import { formatMoney, fromMinor } from '../../../core/kegs/money.ts';
import type { Email, MailContext } from '../../../outbox/mail/email.ts';
import { formatVolume } from '../../../outbox/mail/mail-figures.ts';
import type { MailedMonth } from '../engine/balance/month-mail.ts';

/** Renders poured against sold of a month: the owner's sentence first. */
export function renderMonth(
  values: MailedMonth,
  { site, texts }: MailContext,
): Pick<Email, 'subject' | 'paragraphs' | 'footer'> {
  const { kind, valueMinor, valueUncertaintyMinor, currency, beverage, findings } = values;
  const { t, language } = texts;
  // Formatted in UTC the first day stays in its month.
  const month = new Date(`${values.month}-01T00:00:00Z`).toLocaleDateString(language, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const volume = formatVolume(values.volumeMl, site, texts);
  const uncertainty = formatVolume(values.uncertaintyMl, site, texts);
  const money = (minor: number) => formatMoney(fromMinor(minor, currency), currency, language);
  const hasValue = kind !== 'agrees' && valueMinor !== null && valueUncertaintyMinor !== null;
  return {
    subject: t('mails.month_balance.subject', { month }),
    paragraphs: [
      [
        t('mails.month_balance.sentence', { month, kind, volume, uncertainty }),
        ...(hasValue
          ? [
              t('mails.month_balance.value', {
                amount: money(valueMinor),
                uncertainty: money(valueUncertaintyMinor),
              }),
            ]
          : []),
        ...(beverage === null ? [] : [t('mails.month_balance.most', { beverage })]),
      ].join(' '),
      t('mails.month_balance.advice', { count: findings }),
    ],
    footer: t('mails.month_balance.footer'),
  };
}
