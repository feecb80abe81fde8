import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../ask.ts';
import { tell } from '../../toast.tsx';
import { words } from '../../words/house.ts';
import { Refusal } from './act.tsx';
import { type Declared, declaredFields, type FieldWords, fieldFor } from './declared.ts';
import { type FieldSpec, Form, type FormValues } from './form.tsx';
import { useAsked } from './use-asked.ts';

type Values = Readonly<Record<string, unknown>>;

interface DeclaredFormProps {
  /** Where the settings are read and, by PATCH, changed; below `/api`. */
  readonly path: string;
  /** The member of the answer that holds them. */
  readonly of: string;
  readonly words: FieldWords;
  /** Another form for one field; null for the usual one. */
  field?(declared: Declared, values: Values): FieldSpec | null;
  /** What is sent, where that is not what was filled in. */
  send?(values: FormValues): FormValues;
  onSaved?(): void;
}

/** Settings in a form of their own, in the order and within the bounds in which the daemon declares them. */
export function DeclaredForm(props: DeclaredFormProps) {
  const { path, of, field, send = same, onSaved } = props;
  const declared = useSignal<readonly Declared[]>([]);
  const { result, refusal } = useAsked<Readonly<Record<string, Values>>>(path);
  useEffect(() => {
    void declaredFields(path).then((fields) => {
      declared.value = fields;
    });
  }, [path]);
  const values = result?.[of];
  return (
    <div class="card narrow">
      <Refusal>{refusal}</Refusal>
      {values && declared.value.length > 0 && (
        <Form
          key={JSON.stringify(values)}
          fields={declared.value.map(
            (one) => field?.(one, values) ?? fieldFor(one, values[one.name], props.words),
          )}
          submit={words.save}
          send={(filled) => ask('PATCH', path, send(filled))}
          onDone={() => {
            tell(words.saved);
            onSaved?.();
          }}
        />
      )}
    </div>
  );
}

const same = (values: FormValues): FormValues => values;
