import { type Signal, useSignal } from '@preact/signals';
import { fromMinor, minorDigits, toMinor } from '../../../../core/kegs/money.ts';
import { maxScheduleName } from '../../../../core/kegs/price-schedules.ts';
import { type Result, request } from '../../../api/client.ts';
import { formatDecimal, type Units } from '../../../app/format.ts';
import { servingText } from '../../../app/serving-sizes.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';

type PriceSchedule = Result<'GET /price-schedules'>['price_schedules'][number];

/** A price as it is typed. */
interface PriceRow {
  readonly key: number;
  readonly beverageId: string;
  readonly sizeId: string;
  readonly price: string;
}

interface PriceScheduleFormProps {
  /** Null for a new one. */
  readonly schedule: PriceSchedule | null;
  readonly units: Units;
  onDone(): void;
}

/** Name, days, times and prices of a price schedule. */
export function PriceScheduleForm({ schedule, units, onDone }: PriceScheduleFormProps) {
  const business = useResource('GET /admin/business');
  const sizes = useResource('GET /serving-sizes');
  const beverages = useResource('GET /beverages', { query: { limit: 1_000 } });
  const weekdays = useSignal<readonly number[]>(schedule?.weekdays ?? [1, 2, 3, 4, 5, 6, 7]);
  const currency = business.result?.business.currency;
  const rows = useSignal<readonly PriceRow[] | null>(null);
  if (currency === undefined || sizes.result === null || beverages.result === null)
    return <ErrorMessage>{business.error ?? sizes.error ?? beverages.error}</ErrorMessage>;
  const { beverages: beers } = beverages.result;
  const { serving_sizes: servingSizes } = sizes.result;
  rows.value ??= (schedule?.prices ?? []).map((price, key) => ({
    key,
    beverageId: price.beverage_id,
    sizeId: String(price.serving_size_id),
    price: formatDecimal(fromMinor(price.price_minor, currency), minorDigits(currency)),
  }));
  const time = { kind: 'text', minLength: 5, maxLength: 5 } as const;
  return (
    <Form
      fields={[
        {
          kind: 'text',
          name: 'name',
          label: t('schedules.name'),
          value: schedule?.name ?? '',
          maxLength: maxScheduleName,
        },
        {
          kind: 'custom',
          name: 'weekdays',
          label: t('schedules.days'),
          optional: 'omit',
          render: (fault) => <Weekdays state={weekdays} fault={fault} />,
        },
        { ...time, name: 'starts', label: t('schedules.starts'), value: schedule?.starts ?? '17:00' },
        { ...time, name: 'ends', label: t('schedules.ends'), value: schedule?.ends ?? '19:00' },
        {
          kind: 'whole',
          name: 'percent_off',
          label: t('schedules.percentOff'),
          value: schedule?.percent_off ?? 0,
          min: 0,
          max: 100,
          unit: '%',
          hint: t('schedules.percentHint'),
        },
        {
          kind: 'custom',
          name: 'prices',
          label: t('schedules.prices'),
          optional: 'omit',
          render: (fault) => (
            <PriceRows
              state={rows as Signal<readonly PriceRow[]>}
              beverages={beers}
              sizes={servingSizes}
              units={units}
              currency={currency}
              fault={fault}
            />
          ),
        },
        {
          kind: 'flag',
          name: 'is_enabled',
          label: t('schedules.enabled'),
          value: schedule?.is_enabled ?? true,
        },
        {
          kind: 'date',
          name: 'first_on',
          label: t('schedules.firstOn'),
          value: schedule?.first_on ?? null,
          optional: 'null',
          isMore: true,
        },
        {
          kind: 'date',
          name: 'last_on',
          label: t('schedules.lastOn'),
          value: schedule?.last_on ?? null,
          optional: 'null',
          isMore: true,
        },
      ]}
      submit={t('common.save')}
      send={async (values) => {
        const typed = (rows.value ?? []).map((row) => ({
          beverage_id: row.beverageId,
          serving_size_id: Number(row.sizeId),
          amount: row.price.trim() === '' ? Number.NaN : Number(row.price.replace(',', '.')),
        }));
        if (typed.some(({ amount }) => !(amount >= 0))) {
          const sentence = t('common.notANumber');
          return { ok: false, status: 0, sentence, fields: { prices: sentence } };
        }
        const body = {
          ...values,
          weekdays: [...weekdays.value],
          prices: typed.map(({ amount, ...price }) => ({ ...price, price_minor: toMinor(amount, currency) })),
        };
        return schedule === null
          ? request('POST /price-schedules', { body })
          : request('PUT /price-schedules/{id}', { path: { id: schedule.id }, body });
      }}
      onDone={(answer) => {
        onDone();
        showUndoable(t('schedules.saved'), answer);
      }}
    />
  );
}

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** 1 January 2024 was a Monday. */
const weekdayName = (weekday: number): string => weekdayFormat.format(Date.UTC(2024, 0, weekday));

interface WeekdaysProps {
  readonly state: Signal<readonly number[]>;
  readonly fault: Parameters<typeof ErrorMessage>[0]['children'] | undefined;
}

function Weekdays({ state, fault }: WeekdaysProps) {
  return (
    <fieldset class="choice">
      <legend>{t('schedules.days')}</legend>
      {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
        <label key={weekday} class="chip">
          <input
            type="checkbox"
            checked={state.value.includes(weekday)}
            onChange={(event) => {
              const others = state.value.filter((one) => one !== weekday);
              state.value = event.currentTarget.checked ? [...others, weekday].sort() : others;
            }}
          />{' '}
          {weekdayName(weekday)}
        </label>
      ))}
      <ErrorMessage>{fault ?? null}</ErrorMessage>
    </fieldset>
  );
}

interface PriceRowsProps {
  readonly state: Signal<readonly PriceRow[]>;
  readonly beverages: Result<'GET /beverages'>['beverages'];
  readonly sizes: Result<'GET /serving-sizes'>['serving_sizes'];
  readonly units: Units;
  readonly currency: string;
  readonly fault: Parameters<typeof ErrorMessage>[0]['children'] | undefined;
}

function PriceRows({ state, beverages, sizes, units, currency, fault }: PriceRowsProps) {
  const change = (key: number, changes: Partial<PriceRow>) => {
    state.value = state.value.map((row) => (row.key === key ? { ...row, ...changes } : row));
  };
  const [beverage] = beverages;
  const [size] = sizes;
  return (
    <fieldset class="size-fields">
      <legend>{t('schedules.prices')}</legend>
      {state.value.map(({ key, beverageId, sizeId, price }) => (
        <div key={key} class="group">
          <label class="field">
            {t('beers.beer')}
            <select
              value={beverageId}
              onChange={(event) => change(key, { beverageId: event.currentTarget.value })}
            >
              {beverages.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {t('schedules.size')}
            <select value={sizeId} onChange={(event) => change(key, { sizeId: event.currentTarget.value })}>
              {sizes.map((one) => (
                <option key={one.id} value={String(one.id)}>
                  {servingText(one, units)}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {`${t('schedules.price')} (${currency})`}
            <input
              type="text"
              inputmode="decimal"
              autocomplete="off"
              maxLength={12}
              required
              value={price}
              onInput={(event) => change(key, { price: event.currentTarget.value })}
            />
          </label>
          <button
            type="button"
            class="chip is-danger"
            onClick={() => (state.value = state.value.filter((row) => row.key !== key))}
          >
            {t('schedules.removePrice')}
          </button>
        </div>
      ))}
      <ErrorMessage>{fault ?? null}</ErrorMessage>
      {beverage !== undefined && size !== undefined && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            const key = Math.max(-1, ...state.value.map((row) => row.key)) + 1;
            const row = { key, beverageId: beverage.id, sizeId: String(size.id), price: '' };
            state.value = [...state.value, row];
          }}
        >
          {t('schedules.addPrice')}
        </button>
      )}
    </fieldset>
  );
}
