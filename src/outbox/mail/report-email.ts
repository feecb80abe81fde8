import { formatMoney, fromMinor } from '../../core/kegs/money.ts';
import type { MailedAmounts, MailedReport } from '../../engine/engine.ts';
import type { Email, MailContext } from './email.ts';
import { formatVolume } from './mail-figures.ts';

/** Renders the report of a business day: its sums, then one line for each tap and each keg. */
export function renderReport(
  report: MailedReport,
  context: MailContext,
): Pick<Email, 'subject' | 'paragraphs' | 'table'> {
  const { t, language } = context.texts;
  const { taps, kegs, currency } = report;
  // The date is a day without a time; formatted in UTC it stays the same day.
  const date = new Date(`${report.date}T00:00:00Z`).toLocaleDateString(language, {
    dateStyle: 'full',
    timeZone: 'UTC',
  });
  const amounts = (sums: MailedAmounts) => listAmounts(sums, currency, context);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  return {
    subject: t('mails.report.subject', { date }),
    paragraphs: [t('mails.report.subject', { date })],
    table: [
      ...amounts(report),
      ...section(
        t('mails.report.byTap'),
        taps.map((tap) => `${tap.name ?? t('mails.report.noTap')}: ${amounts(tap).join(', ')}`),
      ),
      ...section(
        t('mails.report.byKeg'),
        kegs.map((keg) => `${nameKeg(keg, context)}: ${amounts(keg).join(', ')}`),
      ),
    ],
  };
}

const nameKeg = ({ kegId, beverage }: MailedReport['kegs'][number], { texts: { t } }: MailContext): string =>
  kegId === null ? t('mails.report.noKeg') : t('mails.report.keg', { beverage: beverage ?? '', id: kegId });

function listAmounts(sums: MailedAmounts, currency: string, { site, texts }: MailContext): string[] {
  const { drinks, spills, held, revenueMinor, unpriced } = sums;
  const volume = (ml: number) => formatVolume(ml, site, texts);
  const { t } = texts;
  return [
    t('mails.report.poured', { volume: volume(sums.pouredMl), count: drinks }),
    ...(spills > 0 ? [t('mails.report.spilled', { volume: volume(sums.spilledMl) })] : []),
    ...(held > 0 ? [t('mails.report.held', { volume: volume(sums.heldMl), count: held })] : []),
    ...(revenueMinor === null
      ? []
      : [
          t('mails.report.revenue', {
            amount: formatMoney(fromMinor(revenueMinor, currency), currency, texts.language),
          }),
        ]),
    // A bar without any prices wants no notice of them.
    ...(revenueMinor === null || unpriced === 0
      ? []
      : [t('mails.report.unpriced', { volume: volume(sums.unpricedMl), count: unpriced })]),
  ];
}
