import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { KegSize, NewKeg as NewKegInput } from '../../api/generated.ts';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { t } from '../../locales/locale.ts';

/** Form for a new keg in stock: beverage, brewery, size and volume. */
export function NewKeg({ onDone }: { onDone(): void }) {
  const sizes = useSignal<readonly KegSize[]>([]);
  useEffect(() => {
    void request('GET /keg-sizes').then((answer) => {
      if (answer.ok) sizes.value = answer.result.keg_sizes;
    });
  }, []);
  const fields = [
    { kind: 'text', name: 'beverage_name', label: t('kegs.beerName') },
    { kind: 'text', name: 'producer_name', label: t('kegs.brewery') },
    { kind: 'text', name: 'style_name', label: t('kegs.style') },
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
      send={({ full_volume_ml: litres, ...values }) =>
        request('POST /kegs', {
          body: { ...values, ...(litres !== undefined && { full_volume_ml: litres * 1000 }) },
        })
      }
      onDone={onDone}
    />
  );
}
