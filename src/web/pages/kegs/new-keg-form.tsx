import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { createChangeKeys } from '../../api/change-keys.ts';
import { type Answer, request } from '../../api/client.ts';
import type { KegSize, NewKeg } from '../../api/generated.ts';
import { t } from '../../locales/locale.ts';
import { BeerChooser, useBeerChooser } from './beers/beer-chooser.tsx';
import { sendWithBeer } from './beers/resolve-beer.ts';

interface NewKegFormProps {
  /** Called with a function that finds or creates the beer and then sends the keg by `start`. */
  onSend(send: <R>(start: (keg: NewKeg) => Promise<Answer<R>>) => Promise<Answer<R>>): void;
}

/** Form for a new keg: beer, size and starting volume. */
export function NewKegForm({ onSend }: NewKegFormProps) {
  const beer = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);
  const id = useId();
  const sizes = useSignal<readonly KegSize[]>([]);
  useEffect(() => {
    void request('GET /keg-sizes').then((answer) => {
      if (answer.ok) sizes.value = answer.result.keg_sizes;
    });
  }, []);

  function send(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const litres = Number(text('litres').replace(',', '.'));
    const keg = {
      keg_type: text('size') as NonNullable<NewKeg['keg_type']>,
      ...(litres > 0 && { full_volume_ml: litres * 1000 }),
    };
    onSend((start) => sendWithBeer(beer, keys, (beverage_id) => start({ beverage_id, ...keg })));
  }

  return (
    <form class="form" onSubmit={send}>
      <BeerChooser state={beer} />
      <label class="field" for={`${id}-size`}>
        {t('kegs.kegSize')}
        <select id={`${id}-size`} name="size" required>
          {sizes.value.map((size) => (
            <option key={size.key} value={size.key}>
              {size.name}
            </option>
          ))}
        </select>
      </label>
      <label class="field" for={`${id}-litres`}>
        {t('kegs.startingVolume')}
        <input id={`${id}-litres`} name="litres" inputmode="decimal" autocomplete="off" />
      </label>
      <button type="submit" class="button">
        {t('taps.putOnTap')}
      </button>
    </form>
  );
}
