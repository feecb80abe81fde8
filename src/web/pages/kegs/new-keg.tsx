import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { type FieldSpec, Form, type FormValues } from '../../components/form.tsx';
import { words } from '../../words/pages.ts';
import { say } from '../../words/say.ts';

interface KegSize {
  readonly key: string;
  readonly name: string;
}

/** Form for a new keg in stock: beverage, brewery, size and volume. */
export function NewKeg({ onDone }: { onDone(): void }) {
  const sizes = useSignal<readonly KegSize[]>([]);
  useEffect(() => {
    void requestWithPin<{ readonly keg_sizes: readonly KegSize[] }>('GET', '/keg-sizes').then((answer) => {
      if (answer.ok) sizes.value = answer.result.keg_sizes;
    });
  }, []);
  const fields: readonly FieldSpec[] = [
    { kind: 'text', name: 'beverage_name', label: say.beerName },
    { kind: 'text', name: 'producer_name', label: say.brewery },
    { kind: 'text', name: 'style_name', label: say.style },
    {
      kind: 'choice',
      name: 'keg_type',
      label: say.kegSize,
      options: Object.fromEntries(sizes.value.map(({ key, name }) => [key, name])),
    },
    { kind: 'number', name: 'full_volume_ml', label: words.startingVolume, optional: 'omit' },
  ];
  return <Form fields={fields} submit={words.addToStock} send={createKeg} onDone={onDone} />;
}

/** Creates the keg; converts the form's litres to millilitres. */
function createKeg(values: FormValues) {
  const { full_volume_ml: litres } = values;
  return requestWithPin('POST', '/kegs', {
    ...values,
    ...(typeof litres === 'number' && { full_volume_ml: litres * 1000 }),
  });
}
