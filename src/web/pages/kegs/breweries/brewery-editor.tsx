import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { producerFields } from '../../../../core/kegs/records/producer-record.ts';
import type { Producer } from '../../../api/generated.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Form } from '../../../components/form/form.tsx';
import { recordInputs } from '../../../components/form/record-fields.ts';
import { type PictureChange, PictureField } from '../../../components/picture/picture-field.tsx';
import { language, t } from '../../../locales/locale.ts';
import { EditorActions } from '../beers/editor-actions.tsx';
import { createRecord, removeRecord, saveRecord } from '../beers/save-record.ts';
import { useLeave } from '../beers/use-leave.ts';
import { countryNames } from './country-names.ts';
import { MergeBreweries } from './merge-breweries.tsx';
import { breweryRequests } from './save-brewery.ts';
import '../../../styles/kegs/beers.css';

const input = recordInputs(producerFields, 'beers.fields');

/** The form of a brewery, with its picture; null adds a brewery. */
export function BreweryEditor({ brewery }: { readonly brewery: Producer | null }) {
  const navigate = useNavigate();
  const picture = useSignal<PictureChange>(null);
  const created = useRef<Producer | null>(null);
  const leave = useLeave('/breweries');

  return (
    <div class="editor">
      <div class="card">
        <PictureField
          label={t('beers.breweryPicture')}
          current={brewery?.picture?.resized_url ?? null}
          alt={t('beers.breweryPictureOf', { name: brewery?.name ?? t('beers.newBrewery') })}
          change={picture}
        />
      </div>
      <div class="card">
        <Form
          fields={[
            input('name', brewery),
            input('originCity', brewery),
            input('originState', brewery),
            {
              kind: 'choice',
              name: 'country',
              label: t('beers.fields.country'),
              value: brewery?.country ?? '',
              options: listCountries(brewery?.country),
              isOptional: true,
            },
            input('url', brewery),
            input('isHomebrew', brewery),
            input('description', brewery),
          ]}
          submit={t('common.save')}
          isEdit={brewery !== null}
          onCancel={leave}
          isDirty={picture.value !== null}
          send={(values, { changes, keys }) => {
            const existing = brewery ?? created.current;
            if (existing) return saveRecord(breweryRequests, existing, changes, picture.value, keys);
            return createRecord(breweryRequests, values, picture.value, (one) => {
              created.current = one;
            });
          }}
          onDone={leave}
        />
      </div>
      {brewery && (
        <EditorActions
          deleteLabel={t('beers.deleteBrewery')}
          remove={() => removeRecord(breweryRequests, brewery)}
          onRemoved={() => navigate('/breweries')}
          renderMerge={(close) => <MergeBreweries kept={brewery} onClose={close} />}
        />
      )}
    </div>
  );
}

/** Countries by code; the first choice is none, and a code that is in no list stays. */
function listCountries(current = ''): Readonly<Record<string, string>> {
  const names = countryNames(language);
  return {
    '': t('beers.noCountry'),
    ...(current !== '' && !names.has(current) && { [current]: current }),
    ...Object.fromEntries(names),
  };
}
