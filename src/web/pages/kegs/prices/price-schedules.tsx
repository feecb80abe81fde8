import { useSignal } from '@preact/signals';
import { type Result, request } from '../../../api/client.ts';
import type { Units } from '../../../app/format.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MoveButton, RowButton } from '../../../components/row-button.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { PriceScheduleForm } from './price-schedule-form.tsx';

type PriceSchedule = Result<'GET /price-schedules'>['price_schedules'][number];

/** Prices that replace the ordinary ones at times: happy hours, weekdays, events. */
export function PriceSchedules({ units }: { readonly units: Units }) {
  const { result, error } = useResource('GET /price-schedules');
  const edited = useSignal<PriceSchedule | 'new' | null>(null);
  const close = () => (edited.value = null);
  return (
    <section class="group" aria-labelledby="price-schedules">
      <h3 id="price-schedules">{t('schedules.title')}</h3>
      <p class="soft">{t('schedules.why')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {result && (
        <div class="card group">
          {result.price_schedules.length > 0 && (
            <ul class="rows">
              {result.price_schedules.map((schedule, index, all) => (
                <ScheduleRow
                  key={schedule.id}
                  schedule={schedule}
                  place={index + 1}
                  count={all.length}
                  isActive={schedule.id === result.active_schedule_id}
                  onEdit={() => (edited.value = schedule)}
                />
              ))}
            </ul>
          )}
          <p class="row-actions">
            <button type="button" class="button" onClick={() => (edited.value = 'new')}>
              {t('schedules.add')}
            </button>
          </p>
        </div>
      )}
      {edited.value !== null && (
        <Dialog title={edited.value === 'new' ? t('schedules.add') : edited.value.name} onClose={close}>
          <PriceScheduleForm
            schedule={edited.value === 'new' ? null : edited.value}
            units={units}
            onDone={close}
          />
        </Dialog>
      )}
    </section>
  );
}

interface ScheduleRowProps {
  readonly schedule: PriceSchedule;
  /** Of several that hold, the first counts. */
  readonly place: number;
  readonly count: number;
  readonly isActive: boolean;
  onEdit(): void;
}

function ScheduleRow({ schedule, place, count, isActive, onEdit }: ScheduleRowProps) {
  const { runAction, error } = useAction();
  const { id, name, percent_off: percentOff, prices, first_on: first, last_on: last } = schedule;
  const remove = () =>
    runAction(
      () => request('DELETE /price-schedules/{id}', { path: { id } }),
      (answer) => showUndoable(t('schedules.deleted'), answer),
    );
  const moveTo = (to: number) =>
    to < 1 || to > count
      ? null
      : () =>
          void runAction(
            () => request('POST /price-schedules/{id}/move', { path: { id }, body: { place: to } }),
            (answer) => showUndoable(t('schedules.moved'), answer),
          );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <p>
          {[
            t('schedules.times', {
              days: formatWeekdays(schedule.weekdays),
              from: schedule.starts,
              to: schedule.ends,
            }),
            percentOff > 0 && t('schedules.percentOf', { percent: percentOff }),
            prices.length > 0 && t('schedules.ownPrices', { count: prices.length }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {(first !== null || last !== null) && <p class="soft">{formatDays(first, last)}</p>}
        {isActive && <p class="soft">{t('schedules.active')}</p>}
        {!schedule.is_enabled && <p class="soft">{t('schedules.off')}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {count > 1 && (
          <>
            <MoveButton label={t('common.moveUp', { what: name })} sign="↑" onMove={moveTo(place - 1)} />
            <MoveButton label={t('common.moveDown', { what: name })} sign="↓" onMove={moveTo(place + 1)} />
          </>
        )}
        <RowButton label={t('schedules.edit')} what={name} onClick={onEdit} />
        <RowButton label={t('schedules.delete')} what={name} isDanger onClick={() => void remove()} />
      </div>
    </li>
  );
}

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const shortFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const listFormat = new Intl.ListFormat(locale, { type: 'conjunction' });
/** 1 January 2024 was a Monday. */
const toMs = (weekday: number): number => Date.UTC(2024, 0, weekday);

const formatWeekdays = (weekdays: readonly number[]): string =>
  weekdays.length === 7
    ? t('schedules.everyDay')
    : listFormat.format(weekdays.map((weekday) => shortFormat.format(toMs(weekday))));

function formatDays(first: string | null, last: string | null): string {
  const format = (date: string) => dateFormat.format(Date.parse(date));
  if (first === null) return t('schedules.until', { day: format(last ?? '') });
  if (last === null) return t('schedules.from', { day: format(first) });
  return dateFormat.formatRange(Date.parse(first), Date.parse(last));
}
