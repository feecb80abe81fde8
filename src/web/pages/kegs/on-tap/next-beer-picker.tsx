import { useMemo } from 'preact/hooks';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { createChangeKeys } from '../../../api/change-keys.ts';
import { request } from '../../../api/client.ts';
import type { ListedKeg } from '../../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { ActionGroup, useAction } from '../../../components/action.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { BeerChooser, useBeerChooser } from '../beers/beer-chooser.tsx';
import { sendWithBeer } from '../beers/resolve-beer.ts';
import { noBrewery } from '../breweries/brewery-chooser.tsx';

interface NextBeerPickerProps {
  readonly tap: LiveTap;
  readonly units: Units;
}

/** Chooses the next beer of a tap: a keg in stock, or a known or new beverage without a keg yet. */
export function NextBeerPicker({ tap, units }: NextBeerPickerProps) {
  const { result } = useResource('GET /kegs', { query: { state: 'available', limit: 50 } });
  const chooser = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);
  const action = useAction();
  const { runAction, isBusy } = action;
  const path = { ref: tap.id };

  const setKeg = (keg: ListedKeg) =>
    runAction(
      () => request('PUT /taps/{ref}/next', { path, body: { keg_id: keg.id } }),
      (changed) => showUndoable(t('nextBeer.nextSet', { beer: keg.beverage.name }), changed),
    );

  async function setBeverage(event: SubmitEvent) {
    event.preventDefault();
    const { name } = chooser.choice.value;
    const answer = await runAction(
      () =>
        sendWithBeer(chooser, keys, (beverage_id) =>
          request('PUT /taps/{ref}/next', { path, body: { beverage_id } }),
        ),
      (changed) => showUndoable(t('nextBeer.nextSet', { beer: name.trim() }), changed),
    );
    if (!answer?.ok) return;
    chooser.choice.value = { name: '', beer: null };
    chooser.brewery.value = noBrewery;
  }

  return (
    <fieldset class="choice">
      <legend>{t('nextBeer.title')}</legend>
      <ActionGroup action={action} class="choice">
        <div class="next-kegs">
          <Choice
            isChosen={tap.next === null}
            onChoose={() =>
              void runAction(
                () => request('DELETE /taps/{ref}/next', { path }),
                (changed) => showUndoable(t('nextBeer.nextRemoved'), changed),
              )
            }
          >
            {t('nextBeer.noNextBeer')}
          </Choice>
          {tap.next !== null && tap.next.keg_id === null && (
            <Choice isChosen={true} onChoose={() => undefined}>
              {tap.next.name}
            </Choice>
          )}
          {result?.kegs.map((keg) => (
            <Choice key={keg.id} isChosen={tap.next?.keg_id === keg.id} onChoose={() => void setKeg(keg)}>
              {keg.beverage.name} · {formatQuantity(volume(keg.volume_ml_remain, units))}
            </Choice>
          ))}
        </div>
        <form class="next-beverage" onSubmit={(event) => void setBeverage(event)}>
          <BeerChooser state={chooser} label={t('nextBeer.chooseBeverage')} />
          <button type="submit" class="chip" aria-disabled={isBusy || undefined}>
            {t('common.save')}
          </button>
        </form>
      </ActionGroup>
    </fieldset>
  );
}
