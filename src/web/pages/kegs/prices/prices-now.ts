import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { barTime, formatBarTime } from '../../../app/format.ts';
import { t } from '../../../locales/locale.ts';

/** What guests read while prices of a time hold: `Happy hour until 19:00`; null for the ordinary ones. */
export const pricesNowText = (snapshot: SnapshotMessage): string | null =>
  snapshot.prices_now &&
  t('menu.pricesUntil', {
    name: snapshot.prices_now.name,
    time: formatBarTime(barTime(snapshot.prices_now.until, snapshot)),
  });
