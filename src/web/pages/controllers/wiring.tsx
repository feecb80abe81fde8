import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';

interface Part {
  readonly id: number | string;
  readonly name: string;
  readonly nice_name?: string;
  readonly calibrated?: boolean;
}

interface Tap {
  readonly id: string;
  readonly name: string;
  readonly meter_id: number | null;
  readonly toggle_id: number | null;
  readonly thermo_sensor_id: string | null;
}

/** Connects a meter, a relay and a thermo sensor to each tap, from the hardware known to the daemon. */
export function Wiring({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const query = `?limit=1000&taps=${snapshot.taps.length}`;
  const taps = useResource<{ readonly taps: readonly { readonly tap: Tap }[] }>(`/taps${query}`).result?.taps;
  const meters = useResource<{ readonly flow_meters: readonly Part[] }>(`/flow-meters${query}`).result;
  const toggles = useResource<{ readonly flow_toggles: readonly Part[] }>(`/flow-toggles${query}`).result;
  const sensors = useResource<{ readonly thermo_sensors: readonly Part[] }>(`/thermo-sensors${query}`).result;
  const { runAction, error } = useAction();
  const connect = (tap: Tap, part: string, field: string) => (id: string) =>
    void runAction({
      method: 'POST',
      path: `/taps/${tap.id}/connect-${part}`,
      body: { [field]: id === '' ? null : id },
      successMessage: words.meterBound,
    });
  return (
    <section class="group" aria-labelledby="wiring">
      <h3 id="wiring">{words.wiring}</h3>
      <ErrorMessage>{error}</ErrorMessage>
      {taps?.length === 0 && <p class="soft">{words.noTaps}</p>}
      <ul class="wiring">
        {(taps ?? []).map(({ tap }) => (
          <li key={tap.id} class="card">
            <fieldset class="wires">
              <legend class="row-name">{tap.name}</legend>
              <PartSelect
                label={words.meter}
                value={tap.meter_id}
                parts={meters?.flow_meters}
                onChoose={connect(tap, 'meter', 'meter_id')}
              />
              <PartSelect
                label={words.relay}
                value={tap.toggle_id}
                parts={toggles?.flow_toggles}
                onChoose={connect(tap, 'toggle', 'toggle_id')}
              />
              <PartSelect
                label={words.thermometer}
                value={tap.thermo_sensor_id}
                parts={sensors?.thermo_sensors}
                onChoose={connect(tap, 'thermo', 'thermo_sensor_id')}
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
        <option value="">{words.none}</option>
        {parts.map((part) => (
          <option key={part.id} value={part.id}>
            {part.nice_name || part.name}
            {part.calibrated === false && ` (${words.uncalibrated})`}
          </option>
        ))}
      </select>
    </label>
  );
}
