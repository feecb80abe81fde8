import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { type Answer, type Result, request } from '../../../api/client.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
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

/** A part of another tap that was chosen, and how it is moved. */
interface AskedMove {
  readonly part: string;
  readonly from: string;
  move(): void;
}

/** Meter, valve and thermometer of a tap; a choice is saved at once, that of a meter or valve of another tap after a question. */
export function TapParts({ tap, snapshot, meters, toggles, sensors }: TapPartsProps) {
  const { runAction, error } = useAction();
  const path = { ref: tap.id };
  const tapNames = new Map(snapshot.taps.map(({ id, name }) => [id, name]));
  const asked = useSignal<AskedMove | null>(null);
  const connect = (
    send: (id: string | null, moves: boolean) => Promise<Answer<{ readonly correction_id: number | null }>>,
    exclusive: readonly Part[] = [],
  ) => {
    const save = (id: string, moves = false) =>
      void runAction(
        () => send(id === '' ? null : id, moves),
        ({ correction_id: correction }) =>
          showToast(t('common.saved'), correction === null ? null : () => void undoCorrection(correction)),
      );
    return (id: string) => {
      const part = exclusive.find((one) => String(one.id) === id);
      const from = part === undefined ? undefined : findOtherTap(part, tap.id, tapNames);
      if (part === undefined || from === undefined) save(id);
      else asked.value = { part: part.nice_name || part.name, from, move: () => save(id, true) };
    };
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
          onChoose={connect(
            (meter_id, move) => request('POST /taps/{ref}/connect-meter', { path, body: { meter_id, move } }),
            meters,
          )}
        />
        <PartSelect
          {...common}
          label={t('controllers.relay')}
          value={tap.toggle_id}
          parts={toggles}
          onChoose={connect(
            (toggle_id, move) =>
              request('POST /taps/{ref}/connect-toggle', { path, body: { toggle_id, move } }),
            toggles,
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
      {asked.value && <MoveDialog tap={tap.name} asked={asked.value} onClose={() => (asked.value = null)} />}
    </section>
  );
}

interface MoveDialogProps {
  readonly tap: string;
  readonly asked: AskedMove;
  onClose(): void;
}

function MoveDialog({ tap, asked: { part, from, move }, onClose }: MoveDialogProps) {
  const confirm = () => {
    onClose();
    move();
  };
  return (
    <Dialog title={t('taps.movePart', { part })} onClose={onClose}>
      <p>{t('taps.moveAsk', { part, tap: from })}</p>
      <p>
        <button type="button" class="button" onClick={confirm}>
          {t('taps.moveHere', { tap })}
        </button>
      </p>
    </Dialog>
  );
}

/** The name of another tap that a part serves. */
const findOtherTap = ({ tap_id: other }: Part, tapId: string, tapNames: ReadonlyMap<string, string>) =>
  other == null || String(other) === tapId ? undefined : tapNames.get(String(other));

interface PartSelectProps {
  readonly label: string;
  readonly value: number | string | null;
  readonly parts: readonly Part[] | undefined;
  readonly tapId: string;
  readonly tapNames: ReadonlyMap<string, string>;
  onChoose(id: string): void;
}

/** Parts of other taps are named with their tap. */
function PartSelect({ label, value, parts = [], tapId, tapNames, onChoose }: PartSelectProps) {
  const id = useId();
  const nameOf = (part: Part) => {
    const shown = part.nice_name || part.name;
    const otherTap = findOtherTap(part, tapId, tapNames);
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
