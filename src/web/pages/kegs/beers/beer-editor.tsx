import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { beverageFields } from '../../../../core/kegs/records/beverage-record.ts';
import type { BeerType } from '../../../api/generated.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Combobox } from '../../../components/form/combobox.tsx';
import { Form } from '../../../components/form/form.tsx';
import { recordInputs } from '../../../components/form/record-fields.ts';
import { type PictureChange, PictureField } from '../../../components/picture/picture-field.tsx';
import { t } from '../../../locales/locale.ts';
import { BreweryChooser, chooseBrewery, noBrewery } from '../breweries/brewery-chooser.tsx';
import {
  BeerColorField,
  describeBeerColor,
  readBeerColor,
  takeBeerColor,
  useBeerColor,
} from './beer-color-field.tsx';
import { beerStyles } from './beer-styles.ts';
import { EditorActions } from './editor-actions.tsx';
import { MergeBeers } from './merge-beers.tsx';
import { resolveBrewery } from './resolve-beer.ts';
import { beerRequests } from './save-beer.ts';
import { createRecord, removeRecord, saveRecord } from './save-record.ts';
import { suggestNames } from './suggestions.ts';
import { useLeave } from './use-leave.ts';
import '../../../styles/kegs/beers.css';

const input = recordInputs(beverageFields, 'beers.fields', 'beers.types');

/** The form of a beer, with its label picture; null adds a beer. */
export function BeerEditor({ beer }: { readonly beer: BeerType | null }) {
  const navigate = useNavigate();
  const picture = useSignal<PictureChange>(null);
  const brewery = useSignal(beer ? chooseBrewery(beer.producer) : noBrewery);
  const style = useSignal(beer?.style_id ?? '');
  const color = useBeerColor(beer);
  const colorFault = useSignal<string | undefined>(undefined);
  const created = useRef<BeerType | null>(null);
  const leave = useLeave('/beers');
  // The API has another name for the alcohol in replies.
  const values = beer && { ...beer, abv_percent: beer.abv };
  const vintage = beer?.vintage_year ? Number(beer.vintage_year.slice(0, 4)) : null;

  return (
    <div class="editor">
      <div class="card">
        <PictureField
          label={t('beers.label')}
          current={beer?.picture?.resized_url ?? null}
          alt={t('beers.labelOf', { name: beer?.name ?? t('beers.newBeer') })}
          change={picture}
        />
      </div>
      <div class="card">
        <Form
          fields={[
            input('name', values),
            {
              kind: 'custom',
              name: 'producer_id',
              label: t('kegs.brewery'),
              optional: 'omit',
              edit: {
                stored: String(beer?.producer.id ?? ''),
                typed: String(brewery.value.id ?? brewery.value.name),
                text: beer?.producer.name ?? '',
                take() {
                  if (beer) brewery.value = chooseBrewery(beer.producer);
                },
              },
              render: (fault) => <BreweryChooser choice={brewery} error={fault} />,
            },
            {
              kind: 'custom',
              name: 'style',
              label: t('beers.style'),
              optional: 'omit',
              edit: {
                stored: beer?.style_id ?? '',
                typed: style.value.trim(),
                take() {
                  style.value = beer?.style_id ?? '';
                },
              },
              render: (fault) => (
                <Combobox
                  label={t('beers.style')}
                  text={style.value}
                  options={suggestNames(beerStyles, style.value)}
                  onInput={(text) => (style.value = text)}
                  onChoose={({ text }) => (style.value = text)}
                  required={false}
                  error={fault}
                />
              ),
            },
            input('abvPercent', values),
            { ...input('ibu', values), unit: 'IBU' },
            {
              kind: 'custom',
              name: 'srm',
              label: t('beers.color'),
              optional: 'omit',
              edit: {
                stored: describeBeerColor(beer),
                typed: describeBeerColor(readBeerColor(color).values ?? null),
                take: () => takeBeerColor(color, beer),
              },
              render: () => <BeerColorField state={color} fault={colorFault.value} />,
            },
            input('description', values),
            input('allergens', values),
            { ...input('beverageType', values), isMore: true },
            {
              kind: 'whole',
              name: 'vintage_year',
              label: t('beers.vintage'),
              min: 1800,
              max: 2100,
              value: vintage,
              optional: 'null',
              isMore: true,
            },
            { ...input('originalGravity', values), isMore: true },
            { ...input('specificGravity', values), isMore: true },
          ]}
          submit={t('common.save')}
          isEdit={beer !== null}
          isDirty={picture.value !== null}
          onCancel={leave}
          send={async ({ vintage_year: year, ...typed }, { changes, keys }) => {
            const read = readBeerColor(color);
            colorFault.value = read.fault;
            if (read.values === undefined) return { ok: false, status: 0, sentence: '', fields: {} };
            const maker = await resolveBrewery(brewery.value);
            if (!maker.ok) return maker;
            // The API has a date, of which the page shows the year.
            const made = year !== vintage && { vintage_year: year === null ? null : `${year}-01-01` };
            const styleId = style.value.trim();
            const existing = beer ?? created.current;
            if (existing) {
              const { vintage_year: _year, ...changed } = changes;
              const body = {
                ...changed,
                ...made,
                ...(describeBeerColor(read.values) !== describeBeerColor(existing) && read.values),
                ...(maker.result !== existing.producer.id && { producer_id: maker.result }),
                ...(styleId !== existing.style_id && { style: styleId || null }),
              };
              return saveRecord(beerRequests, existing, body, picture.value, keys);
            }
            const body = {
              ...typed,
              ...read.values,
              ...made,
              producer_id: maker.result,
              style: styleId || null,
            };
            return createRecord(beerRequests, body, picture.value, (one) => {
              created.current = one;
            });
          }}
          onDone={leave}
        />
      </div>
      {beer && (
        <EditorActions
          deleteLabel={t('beers.deleteBeer')}
          remove={() => removeRecord(beerRequests, beer)}
          onRemoved={() => navigate('/beers')}
          renderMerge={(close) => <MergeBeers kept={beer} onClose={close} />}
        />
      )}
    </div>
  );
}
