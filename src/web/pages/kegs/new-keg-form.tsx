import { useMemo } from 'preact/hooks';
import { createChangeKeys } from '../../api/change-keys.ts';
import type { Answer } from '../../api/client.ts';
import type { NewKeg } from '../../api/generated.ts';
import type { Units } from '../../app/format.ts';
import { useIsBusy } from '../../components/action.tsx';
import { BeerChooser, useBeerChooser } from './beers/beer-chooser.tsx';
import { sendWithBeer } from './beers/resolve-beer.ts';
import { KegFillFields, readKegFill, useKegFill } from './keg-fill.tsx';

interface NewKegFormProps {
  readonly units: Units;
  /** Label of the submit button. */
  readonly submit: string;
  /** Called with a function that finds or creates the beer and then sends the keg by `start`. */
  onSend(send: <R>(start: (keg: NewKeg) => Promise<Answer<R>>) => Promise<Answer<R>>): void;
}

/** Form for a new keg: size, starting volume and beer. Use it inside an `ActionGroup`. */
export function NewKegForm({ units, submit, onSend }: NewKegFormProps) {
  const isBusy = useIsBusy();
  const fill = useKegFill(units);
  const beer = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);

  function send(event: SubmitEvent) {
    event.preventDefault();
    const keg = readKegFill(fill, units);
    if (keg === null) return;
    onSend((start) => sendWithBeer(beer, keys, (beverage_id) => start({ beverage_id, ...keg })));
  }

  return (
    <form class="form" onSubmit={send}>
      <KegFillFields state={fill} units={units} />
      <BeerChooser state={beer} />
      <button type="submit" class="button" aria-disabled={isBusy}>
        {submit}
      </button>
    </form>
  );
}
