import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { LiveTap } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { BeerType, Keg } from '../../api/operations.ts';
import type { Answer } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { showToast } from '../../components/toast.tsx';
import { words } from '../../words/guests.ts';
import { say } from '../../words/say.ts';
import { Choice } from '../drinks/drink-dialog.tsx';

interface NextBeerPickerProps {
  readonly tap: LiveTap;
  readonly units: Units;
  /** Called after a change. */
  onDone?(): void;
}

/** Chooses the next beer of a tap: a keg in stock, or a beverage without a keg yet. */
export function NextBeerPicker({ tap, units, onDone }: NextBeerPickerProps) {
  const id = useId();
  const kegs = useSignal<readonly Keg[]>([]);
  const beverages = useSignal<readonly BeerType[]>([]);
  const refusal = useSignal<DisplayText | null>(null);
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

  async function run(pending: Promise<Answer<unknown>>, done: string) {
    const answer = await pending;
    refusal.value = answer.ok ? null : answer.sentence;
    if (!answer.ok) return;
    showToast(done);
    onDone?.();
  }
  const setNext = (body: { keg_id: number } | { beverage_id: string }, name: string) =>
    run(request('PUT /taps/{ref}/next', { path, body }), words.nextSet(name));

  return (
    <fieldset class="choice">
      <legend>{words.nextBeer}</legend>
      <Choice
        isChosen={tap.next === null}
        onChoose={() => void run(request('DELETE /taps/{ref}/next', { path }), words.nextRemoved)}
      >
        {words.noNextBeer}
      </Choice>
      {kegs.value.map((keg) => {
        const name = findBeverageName(keg.type_id) ?? say.keg(keg.id);
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
          {words.chooseBeverage}
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
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
    </fieldset>
  );
}
