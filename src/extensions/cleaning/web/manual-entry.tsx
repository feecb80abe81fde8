import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import { toBarInput } from '../../../web/app/format.ts';
import { DateTimeField } from '../../../web/components/form/date-time-field.tsx';
import { t } from '../../../web/locales/locale.ts';
import { kindOptions } from './cleaning-plans.tsx';
import { EntryForm, type TimeField } from './entry-form.tsx';

/** A cleaning that was not run at the tap here. */
export function ManualEntry({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const now = toBarInput(new Date().toISOString(), snapshot);
  const tap = useSignal(snapshot.taps[0]?.id ?? '');
  const kind = useSignal<keyof ReturnType<typeof kindOptions>>('caustic');
  const [started, ended] = [useSignal(now), useSignal(now)];
  const [tapId, kindId] = [useId(), useId()];
  const options = kindOptions();
  return (
    <div class="group">
      <div class="filters">
        <div class="field">
          <label for={tapId}>{t('common.tap')}</label>
          <select
            id={tapId}
            value={tap.value}
            onChange={({ currentTarget }) => (tap.value = currentTarget.value)}
          >
            {snapshot.taps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={kindId}>{t('cleaning.kind')}</label>
          <select
            id={kindId}
            value={kind.value}
            onChange={({ currentTarget }) => (kind.value = currentTarget.value as typeof kind.value)}
          >
            {Object.entries(options).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <EntryForm
        times={[
          timeField('started_time', t('cleaning.started'), started),
          timeField('ended_time', t('cleaning.ended'), ended),
        ]}
        submit={t('cleaning.addToLog')}
        send={(body) =>
          request('POST /cleanings', {
            body: {
              ...body,
              tap: tap.value,
              kind: kind.value,
              started_time: started.value,
              ended_time: ended.value,
            },
          })
        }
      />
    </div>
  );
}

const timeField = (name: TimeField['name'], label: string, value: Signal<string>): TimeField => ({
  kind: 'custom',
  name,
  label,
  optional: 'omit',
  render: (fault) => <DateTimeField label={label} value={value} fault={fault} />,
});
