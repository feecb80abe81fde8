import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { KegSize, NewKeg } from '../../api/generated.ts';
import { t } from '../../locales/locale.ts';

/** Form for a new keg: beer, brewery, style, size and starting volume. */
export function NewKegForm({ onSend }: { onSend(keg: NewKeg): void }) {
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
    onSend({
      beverage_name: text('beer'),
      producer_name: text('brewery'),
      style_name: text('style'),
      keg_type: text('size') as NonNullable<NewKeg['keg_type']>,
      ...(litres > 0 && { full_volume_ml: litres * 1000 }),
    });
  }

  return (
    <form class="form" onSubmit={send}>
      {(
        [
          ['beer', t('kegs.beerName')],
          ['brewery', t('kegs.brewery')],
          ['style', t('kegs.style')],
        ] as const
      ).map(([name, label]) => (
        <label key={name} class="field" for={`${id}-${name}`}>
          {label}
          <input id={`${id}-${name}`} name={name} required maxLength={255} autocomplete="off" />
        </label>
      ))}
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
