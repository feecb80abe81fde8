import type { Signal } from '@preact/signals';
import { toBarInput, type Units } from '../../../app/format.ts';
import { Choice } from '../../../components/form/choice.tsx';
import { DateTimeField } from '../../../components/form/date-time-field.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';

interface KegChangeTimeProps {
  readonly tapId: string;
  readonly units: Units;
  /** When the keg was changed, `YYYY-MM-DDTHH:MM` at the bar; empty: now. */
  readonly changedAt: Signal<string>;
}

/** Lets staff who press a button late say when they changed the keg, and shows how many drinks move by that. */
export function KegChangeTime({ tapId, units, changedAt }: KegChangeTimeProps) {
  if (changedAt.value === '') {
    const open = () => (changedAt.value = toBarInput(new Date().toISOString(), units));
    return <Choice onChoose={open}>{t('kegs.changeWasEarlier')}</Choice>;
  }
  return (
    <div class="group">
      <DateTimeField label={t('kegs.changedAt')} value={changedAt} fault={undefined} />
      <MovedDrinks tapId={tapId} since={changedAt.value} />
      <Choice onChoose={() => (changedAt.value = '')}>{t('kegs.changeIsNow')}</Choice>
    </div>
  );
}

function MovedDrinks({ tapId, since }: { readonly tapId: string; readonly since: string }) {
  const { result } = useResource('GET /drinks', { query: { tap: tapId, since, limit: 1 } });
  return (
    <p class="soft" role="status">
      {result === null ? '' : t('kegs.drinksMove', { count: result.paging.total })}
    </p>
  );
}

/** The field of a request. */
export const changedAtField = ({ value }: Signal<string>): { readonly changed_at?: string } =>
  value === '' ? {} : { changed_at: value };
