import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, type Result, request } from '../../api/client.ts';
import type { Units } from '../../app/format.ts';
import { servingUnit } from '../../app/volume-units.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { NumberField } from '../../components/form/form-fields.tsx';
import { showToast } from '../../components/toast.tsx';
import { invalidate, useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { BeerPrices } from '../kegs/prices/beer-prices.tsx';

type Price = Result<'GET /admin/prices'>['prices'][number];

interface PricesProps {
  readonly snapshot: SnapshotMessage;
}

/** Prices per serving size of the beers on tap. */
export function PricesOfBeers({ snapshot }: PricesProps) {
  const { result, error } = useResource('GET /taps');
  const beverages = new Map(
    result?.taps.flatMap(({ beverage, next }) =>
      [beverage, next?.beverage].flatMap((one) => (one ? [[one.id, one] as const] : [])),
    ),
  );
  return (
    <section class="group">
      <h3>{t('servings.beerPrices')}</h3>
      <p class="soft">{t('servings.beerPricesWhy')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="wiring">
        {[...beverages.values()].map(({ id, name }) => (
          <BeerPrices key={id} beverageId={Number(id)} beer={name} units={snapshot} />
        ))}
      </div>
    </section>
  );
}

/** Serving size and price at each tap, for beers without prices of their own. */
export function Prices({ snapshot }: PricesProps) {
  const { result, error } = useResource('GET /admin/prices');
  return (
    <section class="group">
      <h3>{t('reports.prices')}</h3>
      <p class="soft">{t('reports.pricesWhy')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {result?.prices.length === 0 && <p class="soft">{t('reports.noTaps')}</p>}
      <div class="wiring">
        {result?.prices.map((price) => (
          <TapPrice
            key={JSON.stringify(price)}
            price={price}
            tap={snapshot.taps.find(({ id }) => id === price.tap_id)?.name ?? price.tap_id}
            currency={result.currency}
            units={snapshot}
          />
        ))}
      </div>
    </section>
  );
}

interface TapPriceProps {
  readonly price: Price;
  readonly tap: string;
  readonly currency: string;
  readonly units: Units;
}

function TapPrice({ price, tap, currency, units }: TapPriceProps) {
  const isBusy = useSignal(false);
  const failure = useSignal<Answer<unknown> | null>(null);
  const { unit, ml: factor } = servingUnit(units);
  const faults = failure.value && !failure.value.ok ? failure.value.fields : {};

  async function save(body: { serving_ml: number | null; price: number | null }, successMessage: string) {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await request('PUT /admin/prices/{id}', { path: { id: price.tap_id }, body });
    isBusy.value = false;
    failure.value = answer;
    if (!answer.ok) return;
    invalidate();
    showToast(successMessage);
  }

  function send(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const [servingMl, priceValue] = ['serving_ml', 'price'].map((name) =>
      Number(String(form.get(name)).trim().replace(',', '.')),
    );
    const inputErrors = {
      ...(Number.isFinite(servingMl) ? {} : { serving_ml: t('common.notANumber') }),
      ...(Number.isFinite(priceValue) ? {} : { price: t('common.notANumber') }),
    };
    if (servingMl === undefined || priceValue === undefined || Object.keys(inputErrors).length > 0) {
      failure.value = { ok: false, status: 0, sentence: '', fields: inputErrors };
      return;
    }
    void save({ serving_ml: servingMl * factor, price: priceValue }, t('reports.priceSaved', { tap }));
  }

  const serving = price.serving_ml === null ? null : Math.round((price.serving_ml / factor) * 100) / 100;
  return (
    <form class="card price-form" onSubmit={send} aria-label={tap}>
      <h4>{tap}</h4>
      <div class="price-fields">
        <NumberField
          field={{ kind: 'number', name: 'serving_ml', label: t('reports.serving'), unit, value: serving }}
          fault={faults.serving_ml}
        />
        <NumberField
          field={{
            kind: 'number',
            name: 'price',
            label: t('reports.price'),
            unit: currency,
            value: price.price,
          }}
          fault={faults.price}
        />
      </div>
      <ErrorMessage>{failure.value && !failure.value.ok ? failure.value.sentence : null}</ErrorMessage>
      <div class="row-actions">
        <button
          type="submit"
          class="button"
          aria-disabled={isBusy.value}
          aria-label={t('reports.savePrice', { tap })}
        >
          {t('reports.save')}
        </button>
        {price.price !== null && (
          <button
            type="button"
            class="chip"
            aria-label={t('reports.removePriceOf', { tap })}
            onClick={() => save({ serving_ml: null, price: null }, t('reports.priceRemoved', { tap }))}
          >
            {t('reports.removePrice')}
          </button>
        )}
      </div>
    </form>
  );
}
