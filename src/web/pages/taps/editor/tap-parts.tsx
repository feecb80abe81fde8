import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { type Answer, type Result, request } from '../../../api/client.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

type Tap = Result<'GET /taps/{ref}'>['tap'];

/** A meter, valve or thermometer. */
interface Part {
  readonly id: number | string;
  readonly name: string;
  readonly nice_name?: string;
  /** The tap that it serves. */
  readonly tap_id?: number | string | null;
}

interface TapPartsProps {
  readonly tap: Tap;
  readonly snapshot: SnapshotMessage;
  readonly meters: readonly Part[] | undefined;
  readonly toggles: readonly Part[] | undefined;
  readonly sensors: readonly Part[] | undefined;
}

/** Meter, valve and thermometer of a tap; a choice is saved at once. */
export function TapParts({ tap, snapshot, meters, toggles, sensors }: TapPartsProps) {
  const { runAction, error } = useAction();
  const path = { ref: tap.id };
  const tapNames = new Map(snapshot.taps.map(({ id, name }) => [id, name]));
  const connect = (
    send: (id: string | null) => Promise<Answer<{ readonly correction_id: number | null }>>,
  ) => {
    return (id: string) =>
      void runAction(
        () => send(id === '' ? null : id),
        ({ correction_id: correction }) =>
          showToast(t('common.saved'), correction === null ? null : () => void undoCorrection(correction)),
      );
  };
  const common = { tapId: tap.id, tapNames };
  return (
    <section class="card tap-section" aria-labelledby="tap-parts">
      <h3 id="tap-parts">{t('taps.hardware')}</h3>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="form">
        <PartSelect
          {...common}
          label={t('controllers.meter')}
          value={tap.meter_id}
          parts={meters}
          onChoose={connect((meter_id) =>
            request('POST /taps/{ref}/connect-meter', { path, body: { meter_id } }),
          )}
        />
        <PartSelect
          {...common}
          label={t('controllers.relay')}
          value={tap.toggle_id}
          parts={toggles}
          onChoose={connect((toggle_id) =>
            request('POST /taps/{ref}/connect-toggle', { path, body: { toggle_id } }),
          )}
        />
        <PartSelect
          {...common}
          label={t('controllers.thermometer')}
          value={tap.thermo_sensor_id}
          parts={sensors}
          onChoose={connect((thermo_sensor_id) =>
            request('POST /taps/{ref}/connect-thermo', { path, body: { thermo_sensor_id } }),
          )}
        />
        <p class="soft">
          {t('taps.hardwareHint')} <a href={toHref('/hardware')}>{t('taps.editHardware')}</a>
        </p>
      </div>
    </section>
  );
}

interface PartSelectProps {
  readonly label: string;
  readonly value: number | string | null;
  readonly parts: readonly Part[] | undefined;
  readonly tapId: string;
  readonly tapNames: ReadonlyMap<string, string>;
  onChoose(id: string): void;
}

/** Parts of other taps are named with their tap, since they would be taken from it. */
function PartSelect({ label, value, parts = [], tapId, tapNames, onChoose }: PartSelectProps) {
  const id = useId();
  const nameOf = ({ name, nice_name: niceName, tap_id: other }: Part) => {
    const shown = niceName || name;
    const otherTap = other == null || String(other) === tapId ? undefined : tapNames.get(String(other));
    return otherTap === undefined ? shown : t('taps.partOfTap', { part: shown, tap: otherTap });
  };
  return (
    <label class="field" for={id}>
      {label}
      <select id={id} value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{t('controllers.none')}</option>
        {parts.map((part) => (
          <option key={part.id} value={part.id}>
            {nameOf(part)}
          </option>
        ))}
      </select>
    </label>
  );
}
