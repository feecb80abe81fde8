import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { gravityRange } from '../../../../core/kegs/beer-volume.ts';
import type { BeerType } from '../../../api/generated.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Combobox } from '../../../components/form/combobox.tsx';
import { Form } from '../../../components/form/form.tsx';
import { type PictureChange, PictureField } from '../../../components/picture/picture-field.tsx';
import { t } from '../../../locales/locale.ts';
import { BreweryChooser, chooseBrewery, noBrewery } from '../breweries/brewery-chooser.tsx';
import { BeerColorField, readBeerColor, useBeerColor } from './beer-color-field.tsx';
import { beerStyles } from './beer-styles.ts';
import { EditorActions } from './editor-actions.tsx';
import { MergeBeers } from './merge-beers.tsx';
import { resolveBrewery } from './resolve-beer.ts';
import { beerRequests } from './save-beer.ts';
import { createRecord, removeRecord, saveRecord } from './save-record.ts';
import { suggestNames } from './suggestions.ts';
import { useLeave } from './use-leave.ts';
import '../../../styles/kegs/beers.css';

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
            { kind: 'text', name: 'name', label: t('beers.name'), value: beer?.name ?? '' },
            {
              kind: 'custom',
              name: 'producer_id',
              label: t('kegs.brewery'),
              optional: 'omit',
              render: (fault) => <BreweryChooser choice={brewery} error={fault} />,
            },
            {
              kind: 'custom',
              name: 'style',
              label: t('beers.style'),
              optional: 'omit',
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
            {
              kind: 'number',
              name: 'abv_percent',
              label: t('beers.abv'),
              unit: '%',
              min: 0,
              max: 100,
              value: beer?.abv ?? null,
              optional: 'null',
            },
            {
              kind: 'number',
              name: 'ibu',
              label: t('beers.ibu'),
              unit: 'IBU',
              min: 0,
              max: 1_000,
              value: beer?.ibu ?? null,
              optional: 'null',
            },
            {
              kind: 'custom',
              name: 'srm',
              label: t('beers.color'),
              optional: 'omit',
              render: () => <BeerColorField state={color} fault={colorFault.value} />,
            },
            {
              kind: 'lines',
              name: 'description',
              label: t('beers.description'),
              value: beer?.description ?? '',
              optional: 'empty',
            },
            {
              kind: 'text',
              name: 'allergens',
              label: t('beers.allergens'),
              value: beer?.allergens ?? '',
              maxLength: 255,
              optional: 'empty',
            },
            {
              kind: 'choice',
              name: 'beverage_type',
              label: t('beers.type'),
              value: beer?.beverage_type ?? 'beer',
              options: {
                beer: t('beers.types.beer'),
                wine: t('beers.types.wine'),
                soda: t('beers.types.soda'),
                kombucha: t('beers.types.kombucha'),
                other: t('beers.types.other'),
              },
              isMore: true,
            },
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
            {
              kind: 'number',
              name: 'original_gravity',
              label: t('beers.originalGravity'),
              ...gravityRange,
              digits: 3,
              value: beer?.original_gravity ?? null,
              optional: 'null',
              isMore: true,
            },
            {
              kind: 'number',
              name: 'specific_gravity',
              label: t('beers.finalGravity'),
              ...gravityRange,
              digits: 3,
              value: beer?.specific_gravity ?? null,
              optional: 'null',
              isMore: true,
            },
          ]}
          submit={t('common.save')}
          onCancel={leave}
          send={async ({ vintage_year: year, ...values }) => {
            const read = readBeerColor(color);
            colorFault.value = read.fault;
            if (read.values === undefined) return { ok: false, status: 0, sentence: '', fields: {} };
            const maker = await resolveBrewery(brewery.value);
            if (!maker.ok) return maker;
            const body = {
              ...values,
              ...read.values,
              // The API has a date, of which the page shows the year.
              ...(year !== vintage && { vintage_year: year === null ? null : `${year}-01-01` }),
              producer_id: maker.result,
              style: style.value.trim() || null,
            };
            const existing = beer ?? created.current;
            if (existing) return saveRecord(beerRequests, existing, body, picture.value);
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
