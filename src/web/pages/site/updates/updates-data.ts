import type { Result } from '../../../api/client.ts';
import { language, locale, t } from '../../../locales/locale.ts';

/** The versions of the machine, as the daemon reports them. */
export type Updates = Result<'GET /admin/updates'>['updates'];
export type UnderWay = NonNullable<Updates['under_way']>;
export type LastUpdate = NonNullable<Updates['last']>;

const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const hourFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** The size of a download, never 0. */
export const formatMegabytes = (bytes: number): string => megabytes.format(Math.max(1, bytes / 1e6));

/** An hour of the day as a time. */
export const formatHour = (hour: number): string => hourFormat.format(new Date(Date.UTC(2026, 0, 1, hour)));

/** What is new in the page's language, else in English. */
export const chooseNotes = (notes: Readonly<Record<string, string>>): string =>
  notes[language.slice(0, 2)] ?? notes.en ?? '';

/** Stages in their order, for the share that is done. */
const order: readonly UnderWay['stage'][] = [
  'requested',
  'downloading',
  'installing',
  'queued',
  'checking',
  'backing_up',
  'waiting',
  'switching',
  'trial',
];

/** How much is done, from 0 to 1; undefined for a way back, whose length is unknown. */
export function findShare(stage: UnderWay['stage']): number | undefined {
  const index = order.indexOf(stage);
  return index < 0 ? undefined : (index + 1) / (order.length + 1);
}

/** What happens now, in a sentence. */
export function describeStage({ stage, from_version: from, to_version: to, is_ending }: UnderWay): string {
  if (is_ending) return t('updates.stages.ending', { from });
  switch (stage) {
    case 'requested':
    case 'queued':
      return t('updates.stages.requested');
    case 'downloading':
      return t('updates.stages.downloading');
    case 'installing':
      return t('updates.stages.installing');
    case 'checking':
      return t('updates.stages.checking');
    case 'backing_up':
      return t('updates.stages.backingUp');
    case 'waiting':
      return t('updates.stages.waiting');
    case 'switching':
      return t('updates.stages.switching');
    case 'trial':
      return t('updates.stages.trial', { from, to });
    case 'switching_back':
    case 'verifying':
      return t('updates.stages.back', { from });
  }
}

/** How the last change of the version ended, in a sentence. */
export function describeLast(last: LastUpdate): string {
  const { kind, from_version: from, to_version: to, outcome } = last;
  const reason = last.reason ?? 'other';
  const values = { version: to, running: from, reason };
  switch (outcome) {
    case 'done':
      return t(kind === 'update' ? 'updates.last.installed' : 'updates.last.wentBack', { to });
    case 'cancelled':
      return t('updates.last.cancelled', { to });
    case 'refused':
      return `${t('daemon.problemTexts.update_refused', values)} ${t('daemon.problemTexts.update_retry')}`;
    case 'reverted':
    case 'failed':
      return reason === 'asked'
        ? t('updates.last.takenBackByHand', { from, to })
        : `${t('daemon.problemTexts.update_taken_back', values)} ${t('daemon.problemTexts.update_retry')}`;
  }
}
