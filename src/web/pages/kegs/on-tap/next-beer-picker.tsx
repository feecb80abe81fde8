import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { createChangeKeys } from '../../../api/change-keys.ts';
import { request } from '../../../api/client.ts';
import type { Keg } from '../../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { ActionGroup, useAction } from '../../../components/action.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { showUndoable } from '../../../components/undo.ts';
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
  const kegs = useKegsInStock();
  const chooser = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);
  const action = useAction();
  const { runAction, isBusy } = action;
  const path = { ref: tap.id };

  const setKeg = (keg: NamedKeg) =>
    runAction(
      () => request('PUT /taps/{ref}/next', { path, body: { keg_id: keg.id } }),
      (changed) => showUndoable(t('nextBeer.nextSet', { beer: keg.name }), changed),
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
          {kegs.map((keg) => (
            <Choice key={keg.id} isChosen={tap.next?.keg_id === keg.id} onChoose={() => void setKeg(keg)}>
              {keg.name} · {formatQuantity(volume(keg.volume_ml_remain, units))}
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

type NamedKeg = Keg & { readonly name: string };

/** The kegs in stock, with the names of their beers; none until both are loaded. */
function useKegsInStock(): readonly NamedKeg[] {
  const kegs = useSignal<readonly NamedKeg[]>([]);
  useEffect(() => {
    async function load() {
      const [inStock, known] = await Promise.all([
        request('GET /kegs', { query: { state: 'available', limit: 50 } }),
        request('GET /beverages', { query: { limit: 1000 } }),
      ]);
      if (!inStock.ok) return;
      const names = new Map((known.ok ? known.result.beverages : []).map(({ id, name }) => [id, name]));
      kegs.value = inStock.result.kegs.map((keg) => ({
        ...keg,
        name: names.get(keg.type_id) ?? t('kegs.keg', { id: keg.id }),
      }));
    }
    void load();
  }, []);
  return kegs.value;
}
