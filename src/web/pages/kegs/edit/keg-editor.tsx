import { type Signal, useSignal } from '@preact/signals';
import { kegInputs } from '../../../../core/kegs/records/keg-record.ts';
import { withChangeKeys } from '../../../api/change-keys.ts';
import { request } from '../../../api/client.ts';
import type { BeerType, Keg, NewKeg } from '../../../api/generated.ts';
import { toBarInput, type Units } from '../../../app/format.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { DateTimeField } from '../../../components/form/date-time-field.tsx';
import { Form } from '../../../components/form/form.tsx';
import { allRecordInputs } from '../../../components/form/record-fields.ts';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { BeerChooser, useBeerChooser } from '../beers/beer-chooser.tsx';
import { resolveBeer } from '../beers/resolve-beer.ts';
import { editKegVolume, KegVolumeFields, readKegVolume, useKegVolume } from './keg-volume-fields.tsx';

/** The fields that need no form field of their own kind. */
const { fullVolumeMl: _volume, ...kegTexts } = kegInputs;

interface KegEditorProps {
  readonly keg: Keg;
  readonly units: Units;
  onClose(): void;
  /** Called after the keg was changed. */
  onChanged?(): void;
}

/** Dialog that changes a keg: beer, size, volume, times and texts; the toast has an undo. */
export function KegEditor({ keg, units, onClose, onChanged }: KegEditorProps) {
  const { result } = useResource('GET /kegs/{id}', { path: { id: keg.id } });
  const sizes = useResource('GET /keg-sizes').result?.keg_sizes;
  return (
    <Dialog title={t('kegs.editKeg', { id: keg.id })} onClose={onClose}>
      {result?.type && sizes && (
        <KegForm
          keg={result.keg}
          beer={result.type}
          sizes={sizes}
          units={units}
          onClose={onClose}
          {...(onChanged && { onChanged })}
        />
      )}
    </Dialog>
  );
}

interface KegFormProps extends KegEditorProps {
  readonly beer: BeerType;
  readonly sizes: Parameters<typeof useKegVolume>[1];
}

function KegForm({ keg, beer, sizes, units, onClose, onChanged }: KegFormProps) {
  const chooser = useBeerChooser(beer);
  const kegVolume = useKegVolume(keg, sizes, units);
  const times = {
    started: toBarInput(keg.started_time, units),
    finished: toBarInput(keg.finished_time, units),
  };
  const started = useSignal(times.started);
  const finished = useSignal(times.finished);

  return (
    <Form
      fields={[
        {
          kind: 'custom',
          name: 'beverage_id',
          label: t('kegs.beerName'),
          optional: 'omit',
          edit: {
            stored: beer.id,
            typed: chooser.choice.value.beer?.id ?? chooser.choice.value.name,
            text: beer.name,
            take() {
              chooser.choice.value = { name: beer.name, beer };
            },
          },
          render: (fault) => <BeerChooser state={chooser} error={fault} />,
        },
        {
          kind: 'custom',
          name: 'full_volume_ml',
          label: t('kegs.startingVolume'),
          optional: 'omit',
          edit: editKegVolume(kegVolume, units),
          render: (fault) => <KegVolumeFields state={kegVolume} units={units} fault={fault} />,
        },
        {
          kind: 'custom',
          name: 'started_time',
          label: t(keg.state === 'available' ? 'kegs.addedAt' : 'kegs.tappedAt'),
          optional: 'omit',
          edit: editTime(times.started, started),
          render: (fault) => (
            <DateTimeField
              label={t(keg.state === 'available' ? 'kegs.addedAt' : 'kegs.tappedAt')}
              value={started}
              fault={fault}
            />
          ),
        },
        ...(keg.finished_time === null
          ? []
          : [
              {
                kind: 'custom',
                name: 'finished_time',
                label: t('kegs.finishedAt'),
                optional: 'omit',
                edit: editTime(times.finished, finished),
                render: (fault) => (
                  <DateTimeField label={t('kegs.finishedAt')} value={finished} fault={fault} />
                ),
              } as const satisfies Parameters<typeof Form>[0]['fields'][number],
            ]),
        ...allRecordInputs(kegTexts, 'kegs.fields', keg),
      ]}
      submit={t('common.save')}
      isEdit
      onCancel={onClose}
      send={async (_values, { changes, keys }) => {
        const amount = readKegVolume(kegVolume, units);
        if (amount.kind === 'refuse')
          return { ok: false, status: 0, sentence: '', fields: { full_volume_ml: amount.sentence } };
        const chosen = await resolveBeer(chooser);
        if (!chosen.ok) return chosen;
        const sizeKey = kegVolume.sizeKey.value as NonNullable<NewKeg['keg_type']>;
        return withChangeKeys(keys, () =>
          request('PATCH /kegs/{id}', {
            path: { id: keg.id },
            body: {
              ...(chosen.result !== beer.id && { beverage_id: chosen.result }),
              ...(sizeKey !== kegVolume.currentKey && { keg_type: sizeKey }),
              ...(amount.kind === 'take' && { full_volume_ml: amount.ml }),
              ...(started.value !== times.started && { started_time: started.value }),
              ...(finished.value !== times.finished && { finished_time: finished.value }),
              ...changes,
            },
          }),
        );
      }}
      onDone={(result) => {
        onClose();
        onChanged?.();
        showUndoable(t('common.saved'), result);
      }}
    />
  );
}

/** A time that is edited in a field of its own. */
const editTime = (stored: string, typed: Signal<string>) => ({
  stored,
  typed: typed.value,
  text: stored.replace('T', ' '),
  take() {
    typed.value = stored;
  },
});
