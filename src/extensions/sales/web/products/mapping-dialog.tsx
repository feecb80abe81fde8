import { useSignal } from '@preact/signals';
import { request } from '../../../../web/api/client.ts';
import { servingText } from '../../../../web/app/serving-sizes.ts';
import { ErrorMessage, useAction } from '../../../../web/components/action.tsx';
import { Dialog } from '../../../../web/components/dialog.tsx';
import { t } from '../../../../web/locales/locale.ts';
import { dayRange } from '../../../../web/pages/reports/statistics/local-day.ts';
import { type Component, itemText, type TillItem } from '../sales-data.ts';
import type { Known } from './components-text.ts';

interface MappingDialogProps {
  readonly item: TillItem;
  readonly known: Known;
  onClose(): void;
}

/** Own volumes are for a pitcher or a glass that is no serving size of the bar. */
const ownVolume = '';

/** What a product contains: one beer in a size, or several parts as in a flight. */
export function MappingDialog({ item, known, onClose }: MappingDialogProps) {
  const first = item.mappings.at(-1)?.components ?? item.proposal ?? [];
  const parts = useSignal<readonly (Component | null)[]>(first.length === 0 ? [null] : first);
  const { runAction, error, isBusy } = useAction();

  function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string, i: number) => String(data.get(`${name}-${i}`) ?? '').trim();
    const components = parts.value.map((_, i) => ({
      beverage_id: text('beverage', i),
      serving_size_id: text('size', i) === ownVolume ? null : Number(text('size', i)),
      count: Number(text('count', i)),
      liquid_ml: text('size', i) === ownVolume ? Number(text('ml', i).replace(',', '.')) : null,
    }));
    const { since } = dayRange(String(data.get('since') ?? ''), known.units.time_zone);
    const body = { components, ...(since !== undefined && { since }) };
    void runAction(
      () => request('PUT /till-items/{id}/mapping', { path: { id: item.id }, body }),
      t('common.saved'),
    ).then((answer) => answer?.ok && onClose());
  }

  return (
    <Dialog title={itemText(item)} onClose={onClose}>
      <form class="form" onSubmit={save}>
        {parts.value.map((part, i) => (
          <Part key={String(i)} i={i} part={part} known={known} />
        ))}
        <p class="row-actions">
          <button type="button" class="chip" onClick={() => (parts.value = [...parts.value, null])}>
            {t('sales.addPart')}
          </button>
          {parts.value.length > 1 && (
            <button type="button" class="chip" onClick={() => (parts.value = parts.value.slice(0, -1))}>
              {t('sales.removePart')}
            </button>
          )}
        </p>
        <label class="field">
          {t('sales.since')}
          <input type="date" name="since" />
          <span class="soft">{t('sales.sinceWhy')}</span>
        </label>
        <ErrorMessage>{error}</ErrorMessage>
        <div class="form-buttons">
          <button type="submit" class="button" aria-disabled={isBusy || undefined}>
            {t('common.save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PartProps {
  readonly i: number;
  readonly part: Component | null;
  readonly known: Known;
}

function Part({ i, part, known: { beverages, sizes, units } }: PartProps) {
  const initial =
    part === null ? String(sizes[0]?.id ?? ownVolume) : String(part.serving_size_id ?? ownVolume);
  const size = useSignal(initial);
  return (
    <fieldset class="sales-part">
      <label class="field">
        {t('sales.beer')}
        <select name={`beverage-${i}`} required>
          {beverages.map(({ id, name }) => (
            <option key={id} value={id} selected={id === part?.beverage_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {t('sales.size')}
        <select
          name={`size-${i}`}
          value={size.value}
          onChange={(event) => (size.value = event.currentTarget.value)}
        >
          {sizes.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {servingText(one, units)}
            </option>
          ))}
          <option value={ownVolume}>{t('sales.ownVolume')}</option>
        </select>
      </label>
      {size.value === ownVolume && (
        <label class="field">
          {t('sales.liquidMl')}
          <input
            type="text"
            name={`ml-${i}`}
            inputmode="decimal"
            required
            maxLength={8}
            autocomplete="off"
            defaultValue={part?.liquid_ml == null ? '' : String(part.liquid_ml)}
          />
        </label>
      )}
      <label class="field">
        {t('sales.count')}
        <input
          type="number"
          name={`count-${i}`}
          min={1}
          max={1000}
          required
          defaultValue={String(part?.count ?? 1)}
        />
      </label>
    </fieldset>
  );
}
