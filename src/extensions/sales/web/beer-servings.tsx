import { useSignal } from '@preact/signals';
import { type Result, request } from '../../../web/api/client.ts';
import { formatDecimal } from '../../../web/app/format.ts';
import type { BeerDetailsProps } from '../../../web/app/page-slots.ts';
import { servingText } from '../../../web/app/serving-sizes.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import type { Size } from './sales-data.ts';
import './sales.css';

type Serving = Result<'GET /beverages/{id}/servings'>['servings'][number];

/** What the serving sizes of a beer hold without the head, their tax rate, and what tills call them. */
export function BeerServings({ beverageId, beer, units }: BeerDetailsProps) {
  const servings = useResource('GET /beverages/{id}/servings', { path: { id: beverageId } });
  const sizes = useResource('GET /serving-sizes');
  return (
    <section class="group" aria-labelledby="beer-servings">
      <h3 id="beer-servings">{t('sales.atTheTill')}</h3>
      <p class="soft">{t('sales.atTheTillWhy')}</p>
      <ErrorMessage>{servings.error ?? sizes.error}</ErrorMessage>
      {servings.result && sizes.result && (
        <ServingsForm
          key={JSON.stringify(servings.result.servings)}
          beverageId={beverageId}
          beer={beer}
          units={units}
          servings={servings.result.servings}
          sizes={sizes.result.serving_sizes}
        />
      )}
    </section>
  );
}

interface ServingsFormProps extends BeerDetailsProps {
  readonly servings: readonly Serving[];
  readonly sizes: readonly Size[];
}

function ServingsForm({ beverageId, beer, units, servings, sizes }: ServingsFormProps) {
  const hasFault = useSignal(false);
  const { runAction, error } = useAction();

  function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string, id: number) => String(data.get(`${name}-${id}`) ?? '').trim();
    const number = (typed: string) => (typed === '' ? null : Number(typed.replace(',', '.')));
    const typed = servings.map(({ serving_size_id: id }) => {
      const tax = number(text('tax', id));
      return {
        serving_size_id: id,
        liquid_ml: number(text('ml', id)),
        tax_basis_points: tax === null ? null : Math.round(tax * 100),
        codes: text('codes', id)
          .split('\n')
          .map((code) => code.trim())
          .filter((code) => code !== ''),
      };
    });
    hasFault.value = typed.some(
      (one) => Number.isNaN(one.liquid_ml ?? 0) || Number.isNaN(one.tax_basis_points ?? 0),
    );
    if (hasFault.value) return;
    void runAction(
      () => request('PUT /beverages/{id}/servings', { path: { id: beverageId }, body: { servings: typed } }),
      (answer) => showUndoable(t('common.saved'), answer),
    );
  }

  return (
    <form class="card form" onSubmit={save} aria-label={t('sales.atTheTill')}>
      {servings.map((serving) => {
        const id = serving.serving_size_id;
        const size = sizes.find((one) => one.id === id);
        return (
          <fieldset key={id} class="sales-part">
            <legend>{size === undefined ? beer : servingText(size, units)}</legend>
            <div class="sales-fields">
              <label class="field">
                {t('sales.liquidMl')}
                <input
                  type="text"
                  name={`ml-${id}`}
                  inputmode="decimal"
                  autocomplete="off"
                  maxLength={8}
                  placeholder={formatDecimal(Math.round(serving.effective_ml))}
                  defaultValue={serving.liquid_ml === null ? '' : formatDecimal(serving.liquid_ml)}
                />
              </label>
              <label class="field">
                {t('sales.tax')}
                <input
                  type="text"
                  name={`tax-${id}`}
                  inputmode="decimal"
                  autocomplete="off"
                  maxLength={6}
                  defaultValue={
                    serving.tax_basis_points === null ? '' : formatDecimal(serving.tax_basis_points / 100)
                  }
                />
              </label>
              <label class="field">
                {t('sales.codes')}
                <textarea
                  name={`codes-${id}`}
                  rows={2}
                  maxLength={2_600}
                  defaultValue={serving.codes.join('\n')}
                />
              </label>
            </div>
          </fieldset>
        );
      })}
      {hasFault.value && <p class="refusal">{t('common.notANumber')}</p>}
      <ErrorMessage>{error}</ErrorMessage>
      <div class="form-buttons">
        <button type="submit" class="button" aria-label={t('sales.saveServings', { beer })}>
          {t('common.save')}
        </button>
      </div>
    </form>
  );
}
