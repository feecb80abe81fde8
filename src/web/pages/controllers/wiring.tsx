import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../api/client.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

interface Part {
  readonly id: number | string;
  readonly name: string;
  readonly nice_name?: string;
  readonly calibrated?: boolean;
}

/** Connects a meter, a relay and a thermo sensor to each tap, from the hardware known to the daemon. */
export function Wiring({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const all = { query: { limit: 1000 } };
  const options = { reloadKey: snapshot.taps.length };
  const taps = useResource('GET /taps', {}, options).result?.taps;
  const meters = useResource('GET /flow-meters', all, options).result;
  const toggles = useResource('GET /flow-toggles', all, options).result;
  const sensors = useResource('GET /thermo-sensors', all, options).result;
  const { runAction, error } = useAction();
  const connect = (send: (id: string | null) => Promise<Answer<unknown>>) => (id: string) =>
    void runAction(() => send(id === '' ? null : id), t('controllers.meterBound'));
  return (
    <section class="group" aria-labelledby="wiring">
      <h3 id="wiring">{t('controllers.wiring')}</h3>
      <p>
        <a href={toHref('/hardware')}>{t('wiring.toPins')}</a>
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      {taps?.length === 0 && <p class="soft">{t('controllers.noTaps')}</p>}
      <ul class="wiring">
        {(taps ?? []).map(({ tap }) => (
          <li key={tap.id} class="card">
            <fieldset class="wires">
              <legend class="row-name">{tap.name}</legend>
              <PartSelect
                label={t('controllers.meter')}
                value={tap.meter_id}
                parts={meters?.flow_meters}
                onChoose={connect((meter_id) =>
                  request('POST /taps/{ref}/connect-meter', { path: { ref: tap.id }, body: { meter_id } }),
                )}
              />
              <PartSelect
                label={t('controllers.relay')}
                value={tap.toggle_id}
                parts={toggles?.flow_toggles}
                onChoose={connect((toggle_id) =>
                  request('POST /taps/{ref}/connect-toggle', { path: { ref: tap.id }, body: { toggle_id } }),
                )}
              />
              <PartSelect
                label={t('controllers.thermometer')}
                value={tap.thermo_sensor_id}
                parts={sensors?.thermo_sensors}
                onChoose={connect((thermo_sensor_id) =>
                  request('POST /taps/{ref}/connect-thermo', {
                    path: { ref: tap.id },
                    body: { thermo_sensor_id },
                  }),
                )}
              />
            </fieldset>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PartSelectProps {
  readonly label: string;
  readonly value: number | string | null;
  readonly parts: readonly Part[] | undefined;
  onChoose(id: string): void;
}

function PartSelect({ label, value, parts = [], onChoose }: PartSelectProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <select id={id} value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{t('controllers.none')}</option>
        {parts.map((part) => (
          <option key={part.id} value={part.id}>
            {part.nice_name || part.name}
            {part.calibrated === false && ` (${t('controllers.uncalibrated')})`}
          </option>
        ))}
      </select>
    </label>
  );
}
