import { useSignal } from '@preact/signals';
import { fromMinor, minorDigits, toMinor } from '../../../../core/kegs/money.ts';
import { type Result, request } from '../../../api/client.ts';
import { formatDecimal, formatPriceMinor, type Units } from '../../../app/format.ts';
import { servingText } from '../../../app/serving-sizes.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { useUnsaved } from '../../../components/form/use-unsaved.ts';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { dayRange } from '../../reports/statistics/local-day.ts';
import '../../../styles/kegs/prices.css';

interface BeerPricesProps {
  /** Id of the beverage. */
  readonly beverageId: number;
  readonly beer: string;
  readonly units: Units;
}

/** The prices of a beer, one per serving size; an empty field is a size in which it is not sold. */
export function BeerPrices({ beverageId, beer, units }: BeerPricesProps) {
  const prices = useResource('GET /beverages/{id}/prices', { path: { id: beverageId } });
  const sizes = useResource('GET /serving-sizes');
  return (
    <>
      <ErrorMessage>{prices.error ?? sizes.error}</ErrorMessage>
      {prices.result && sizes.result && (
        <PriceForm
          key={JSON.stringify([prices.result, sizes.result])}
          beverageId={beverageId}
          beer={beer}
          units={units}
          prices={prices.result}
          sizes={sizes.result.serving_sizes}
        />
      )}
    </>
  );
}

interface PriceFormProps extends BeerPricesProps {
  readonly prices: Result<'GET /beverages/{id}/prices'>;
  readonly sizes: Result<'GET /serving-sizes'>['serving_sizes'];
}

function PriceForm({ beverageId, beer, units, prices: { prices, currency }, sizes }: PriceFormProps) {
  const faults = useSignal<ReadonlySet<number>>(new Set());
  const { runAction, error } = useAction();
  const form = useUnsaved();
  const digits = minorDigits(currency);

  function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const typed = sizes.flatMap(({ id }) => {
      const text = String(form.get(String(id)) ?? '').trim();
      return text === '' ? [] : [{ id, amount: Number(text.replace(',', '.')) }];
    });
    faults.value = new Set(typed.filter(({ amount }) => !(amount >= 0)).map(({ id }) => id));
    if (faults.value.size > 0) return;
    const { since } = dayRange(String(form.get('since') ?? ''), units.time_zone);
    const body = {
      ...(since !== undefined && { since }),
      prices: typed.map(({ id, amount }) => ({
        serving_size_id: id,
        price_minor: toMinor(amount, currency),
      })),
    };
    void runAction(
      () => request('PUT /beverages/{id}/prices', { path: { id: beverageId }, body }),
      (result) => showUndoable(savedText(beer, result), result),
    );
  }

  return (
    <form class="card price-form" ref={form} onSubmit={save} aria-label={beer}>
      <h4>{beer}</h4>
      <div class="beer-prices">
        {sizes.map((size) => {
          const minor = prices.find((price) => price.serving_size_id === size.id)?.price_minor;
          return (
            <label key={size.id} class="field">
              {`${servingText(size, units)} (${currency})`}
              <input
                type="text"
                name={String(size.id)}
                inputmode="decimal"
                autocomplete="off"
                maxLength={12}
                defaultValue={minor === undefined ? '' : formatDecimal(fromMinor(minor, currency), digits)}
                aria-invalid={faults.value.has(size.id)}
              />
              {faults.value.has(size.id) && <span class="refusal">{t('common.notANumber')}</span>}
            </label>
          );
        })}
      </div>
      <details>
        <summary>{t('servings.correctEarlier')}</summary>
        <label class="field">
          {t('servings.since')}
          <input type="date" name="since" />
        </label>
        <p class="soft">{t('servings.sinceWhy')}</p>
      </details>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        <button type="submit" class="button" aria-label={t('servings.savePrices', { beer })}>
          {t('common.save')}
        </button>
      </div>
    </form>
  );
}

/** What was saved, and what it changed for earlier drinks. */
function savedText(beer: string, { revalued, currency }: Result<'PUT /beverages/{id}/prices'>): string {
  if (revalued === null) return t('servings.pricesSaved', { beer });
  const sum = (minor: number | null) => formatPriceMinor(minor ?? 0, currency);
  return t('servings.revalued', {
    beer,
    count: revalued.drinks,
    before: sum(revalued.revenue_before_minor),
    after: sum(revalued.revenue_after_minor),
  });
}
