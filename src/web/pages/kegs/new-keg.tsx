import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createChangeKeys } from '../../api/change-keys.ts';
import { request } from '../../api/client.ts';
import type { KegSize, NewKeg as NewKegInput } from '../../api/generated.ts';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { t } from '../../locales/locale.ts';
import { BeerChooser, useBeerChooser } from './beers/beer-chooser.tsx';
import { sendWithBeer } from './beers/resolve-beer.ts';

/** Form for a new keg in stock: beverage, brewery, size and volume. */
export function NewKeg({ onDone }: { onDone(): void }) {
  const beer = useBeerChooser();
  const keys = useMemo(createChangeKeys, []);
  const sizes = useSignal<readonly KegSize[]>([]);
  useEffect(() => {
    void request('GET /keg-sizes').then((answer) => {
      if (answer.ok) sizes.value = answer.result.keg_sizes;
    });
  }, []);
  const fields = [
    {
      kind: 'custom',
      name: 'beverage_id',
      label: t('kegs.beerName'),
      optional: 'omit',
      render: (fault) => <BeerChooser state={beer} error={fault} />,
    },
    {
      kind: 'choice',
      name: 'keg_type',
      label: t('kegs.kegSize'),
      options: Object.fromEntries(sizes.value.map(({ key, name }) => [key, name])) as Record<
        NonNullable<NewKegInput['keg_type']>,
        string
      >,
    },
    { kind: 'number', name: 'full_volume_ml', label: t('kegs.startingVolume'), optional: 'omit' },
  ] as const satisfies readonly FieldSpec[];
  return (
    <Form
      fields={fields}
      submit={t('kegs.addToStock')}
      // The form has litres.
      send={({ full_volume_ml: litres, keg_type }) =>
        sendWithBeer(beer, keys, (beverage_id) =>
          request('POST /kegs', {
            body: { beverage_id, keg_type, ...(litres !== undefined && { full_volume_ml: litres * 1000 }) },
          }),
        )
      }
      onDone={onDone}
    />
  );
}
