import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { LiveTap } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { BeerType, Keg } from '../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { t } from '../../locales/locale.ts';

interface NextBeerPickerProps {
  readonly tap: LiveTap;
  readonly units: Units;
}

/** Chooses the next beer of a tap: a keg in stock, or a beverage without a keg yet. */
export function NextBeerPicker({ tap, units }: NextBeerPickerProps) {
  const id = useId();
  const kegs = useSignal<readonly Keg[]>([]);
  const beverages = useSignal<readonly BeerType[]>([]);
  const { runAction, error } = useAction();
  useEffect(() => {
    void request('GET /kegs', { query: { state: 'available', limit: 50 } }).then((answer) => {
      if (answer.ok) kegs.value = answer.result.kegs;
    });
    void request('GET /beverages', { query: { limit: 1000 } }).then((answer) => {
      if (answer.ok) beverages.value = answer.result.beverages;
    });
  }, []);
  const path = { ref: tap.id };
  const findBeverageName = (beverageId: string) => beverages.value.find((one) => one.id === beverageId)?.name;

  const setNext = (body: { keg_id: number } | { beverage_id: string }, name: string) =>
    runAction(() => request('PUT /taps/{ref}/next', { path, body }), t('nextBeer.nextSet', { beer: name }));

  return (
    <fieldset class="choice">
      <legend>{t('nextBeer.title')}</legend>
      <Choice
        isChosen={tap.next === null}
        onChoose={() =>
          void runAction(() => request('DELETE /taps/{ref}/next', { path }), t('nextBeer.nextRemoved'))
        }
      >
        {t('nextBeer.noNextBeer')}
      </Choice>
      {kegs.value.map((keg) => {
        const name = findBeverageName(keg.type_id) ?? t('kegs.keg', { id: keg.id });
        return (
          <Choice
            key={keg.id}
            isChosen={tap.next?.keg_id === keg.id}
            onChoose={() => void setNext({ keg_id: keg.id }, name)}
          >
            {name} · {formatQuantity(volume(keg.volume_ml_remain, units))}
          </Choice>
        );
      })}
      {tap.next !== null && tap.next.keg_id === null && (
        <Choice isChosen={true} onChoose={() => undefined}>
          {tap.next.name}
        </Choice>
      )}
      {beverages.value.length > 0 && (
        <label class="field" for={`${id}-beer`}>
          {t('nextBeer.chooseBeverage')}
          <select
            id={`${id}-beer`}
            value=""
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') void setNext({ beverage_id: value }, findBeverageName(value) ?? value);
            }}
          >
            <option value="">–</option>
            {beverages.value.map((beverage) => (
              <option key={beverage.id} value={beverage.id}>
                {beverage.name} · {beverage.producer.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <ErrorMessage>{error}</ErrorMessage>
    </fieldset>
  );
}
