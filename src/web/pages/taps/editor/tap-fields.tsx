import { useSignal } from '@preact/signals';
import { tapFields } from '../../../../core/taps/tap-record.ts';
import { type Result, request } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { formatServing, type Units } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { Form } from '../../../components/form/form.tsx';
import { recordInputs } from '../../../components/form/record-fields.ts';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

type Tap = Result<'GET /taps/{ref}'>['tap'];
type ServingSize = Result<'GET /serving-sizes'>['serving_sizes'][number];

const input = recordInputs(tapFields, 'taps.fields');

interface TapFieldsProps {
  readonly tap: Tap;
  readonly sizes: readonly ServingSize[];
  readonly units: Units;
}

/** Name, number, notes and serving sizes. Only what was changed is sent, so that two people can edit one tap. */
export function TapFields({ tap, sizes, units }: TapFieldsProps) {
  const { id, serving_size_ids: sizeIds } = tap;
  /** Empty for all sizes. */
  const offered = useSignal<readonly number[]>(sizeIds);
  return (
    <div class="card">
      <Form
        fields={[
          input('name', tap),
          { ...input('number', tap), hint: t('taps.numberHint') },
          {
            kind: 'custom',
            name: 'serving_size_ids',
            label: t('servings.title'),
            optional: 'omit',
            edit: {
              stored: String(sizeIds),
              typed: String(offered.value),
              text: nameSizes(sizes, sizeIds, units),
              take() {
                offered.value = sizeIds;
              },
            },
            render: (fault) => (
              <OfferedSizes
                sizes={sizes}
                units={units}
                fault={fault}
                offered={offered.value}
                onChange={(ids) => (offered.value = ids)}
              />
            ),
          },
          input('notes', tap),
        ]}
        submit={t('common.save')}
        isEdit
        send={(_values, { changes }) =>
          request('PATCH /taps/{ref}', {
            path: { ref: id },
            body: {
              ...changes,
              ...(String(offered.value) !== String(sizeIds) && { serving_size_ids: [...offered.value] }),
            },
          })
        }
        onDone={({ correction_id: correction }) =>
          showToast(t('common.saved'), correction === null ? null : () => void undoCorrection(correction))
        }
      />
    </div>
  );
}

interface OfferedSizesProps {
  readonly sizes: readonly ServingSize[];
  readonly units: Units;
  readonly fault: DisplayText | undefined;
  readonly offered: readonly number[];
  onChange(ids: readonly number[]): void;
}

/** The sizes of a tap for a person; an empty list means all. */
const nameSizes = (sizes: readonly ServingSize[], ids: readonly number[], units: Units): string =>
  sizes
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map(({ name, volume_ml: ml }) => [name, formatServing(ml, units)].filter(Boolean).join(' · '))
    .join(', ');

/** The sizes of the site, of which the tap offers all or some. */
function OfferedSizes({ sizes, units, fault, offered, onChange }: OfferedSizesProps) {
  const isOffered = (id: number) => offered.length === 0 || offered.includes(id);
  const toggle = (id: number) => {
    const wanted = sizes.filter((size) => (size.id === id) !== isOffered(size.id)).map((size) => size.id);
    onChange(wanted.length === sizes.length ? [] : wanted);
  };
  const shown = sizes.filter(({ id }) => isOffered(id));
  return (
    <fieldset class="offered-sizes">
      <legend>{t('servings.title')}</legend>
      {sizes.map((size) => (
        <label key={size.id} class="flag">
          <input
            type="checkbox"
            checked={isOffered(size.id)}
            // One size at least: a tap without a choice offers all.
            disabled={shown.length === 1 && isOffered(size.id)}
            onChange={() => toggle(size.id)}
          />
          <span>{[size.name, formatServing(size.volume_ml, units)].filter(Boolean).join(' · ')}</span>
        </label>
      ))}
      <p class="soft">
        {sizes.length === 0 ? t('taps.noSizes') : t('taps.sizesHint')}{' '}
        <a href={toHref('/site')}>{t('taps.editSizes')}</a>
      </p>
      {fault !== undefined && <p class="refusal">{fault}</p>}
    </fieldset>
  );
}
