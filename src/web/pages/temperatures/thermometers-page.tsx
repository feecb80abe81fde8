import { useSignal } from '@preact/signals';
import { temperatureSign } from '../../../core/temperatures/temperature-units.ts';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import { barTime, formatBarTime, formatQuantity, temperature } from '../../app/format.ts';
import { formatAge } from '../../app/format-age.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { PageProps } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { locale, t } from '../../locales/locale.ts';
import { HardwarePage } from '../controllers/hardware-page.tsx';
import { TemperatureChart } from '../reports/statistics/temperature-chart.tsx';
import { toTypedOffset } from './offset.ts';
import { type Thermometer, ThermometerDialog } from './thermometer-dialog.tsx';
import '../../styles/taps/wiring.css';

/** Sensors are read once a minute. */
const refreshMs = 10_000;

const offsetFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

/** All thermometers: what they measure, their last temperature, name and offset. */
export function ThermometersPage({ snapshot }: PageProps) {
  return (
    <HardwarePage title={t('thermometers.title')}>
      <Thermometers snapshot={snapshot} />
    </HardwarePage>
  );
}

function Thermometers({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const all = { query: { limit: 1000 } };
  const { result, error } = useResource('GET /thermo-sensors', all, { intervalMs: refreshMs });
  const tapList = useResource('GET /taps', {});
  // While the wiring is requested, own sensors are read every five seconds.
  const probes = useResource('GET /admin/wiring', {}, { intervalMs: refreshMs }).result?.wiring.probes ?? [];
  const edited = useSignal<Thermometer | null>(null);
  // The editor replaces a thermometer's taps by those that it shows, so it needs the list of taps first.
  if (result === null || tapList.result === null)
    return <ErrorMessage>{error ?? tapList.error}</ErrorMessage>;
  const taps = tapList.result.taps;
  const thermometers = result.thermo_sensors.map((sensor): Thermometer => {
    const live = probes.find(({ name }) => name === sensor.name);
    return {
      ...sensor,
      last_temp: live?.temp_c ?? sensor.last_temp,
      last_time: live?.time ?? sensor.last_time,
      taps: taps.filter(({ tap }) => tap.thermo_sensor_id === sensor.id).map(({ tap }) => tap),
    };
  });
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {thermometers.length === 0 && (
        <EmptyState text={t('thermometers.none')} action={t('wiring.title')} path="/wiring" />
      )}
      {thermometers.length > 0 && (
        <ul class="editor" aria-label={t('thermometers.title')}>
          {thermometers.map((one) => (
            <ThermometerCard
              key={one.id}
              thermometer={one}
              snapshot={snapshot}
              onEdit={() => (edited.value = one)}
            />
          ))}
        </ul>
      )}
      <p class="soft">{t('thermometers.offsetWhy')}</p>
      {edited.value && (
        <ThermometerDialog
          thermometer={edited.value}
          taps={taps.map(({ tap }) => tap)}
          units={snapshot.temperature_units}
          onClose={() => (edited.value = null)}
        />
      )}
    </>
  );
}

interface ThermometerCardProps {
  readonly thermometer: Thermometer;
  readonly snapshot: SnapshotMessage;
  onEdit(): void;
}

function ThermometerCard({ thermometer, snapshot, onEdit }: ThermometerCardProps) {
  const { id, name, nice_name: niceName, place, taps, last_temp: tempC, last_time: time } = thermometer;
  const { runAction, error, isBusy } = useAction();
  const isOpen = useSignal(false);
  const shownName = niceName || name;
  const where = [...taps.map((tap) => tap.name), place].filter(Boolean).join(', ');
  const units = snapshot.temperature_units;
  const offset = toTypedOffset(thermometer.offset_c, units);
  return (
    <li class="card">
      <ul class="rows">
        <li>
          <div class="row-text">
            <h3 class="row-name">{shownName}</h3>
            <p>{where || t('thermometers.nowhere')}</p>
            <p class="soft">
              {[
                shownName === name ? null : name,
                offset === 0
                  ? null
                  : t('thermometers.withOffset', {
                      offset: `${offsetFormat.format(offset)} ${temperatureSign(units)}`,
                    }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {thermometer.is_stale && time !== null && (
              <p class="refusal">
                {t('thermometers.vanished', { time: formatBarTime(barTime(time, snapshot)) })}
              </p>
            )}
            <ErrorMessage>{error}</ErrorMessage>
          </div>
          <p class="row-figure">
            {tempC === null ? t('thermometers.noReading') : formatQuantity(temperature(tempC, snapshot))}
            {time !== null && <small class="soft thermo-age">{formatAge(time)}</small>}
          </p>
          <div class="row-actions">
            <button
              type="button"
              class="chip"
              aria-label={t('thermometers.editOf', { name: shownName })}
              onClick={onEdit}
            >
              {t('thermometers.edit')}
            </button>
            <button
              type="button"
              class="chip is-danger"
              aria-disabled={isBusy || undefined}
              aria-label={t('common.removeOf', { name: shownName })}
              onClick={() =>
                void runAction(
                  () => request('DELETE /thermo-sensors/{sensor}', { path: { sensor: id } }),
                  ({ correction_id: correctionId }) =>
                    showToast(
                      t('thermometers.deleted', { name: shownName }),
                      correctionId === null ? null : () => void undoCorrection(correctionId),
                    ),
                )
              }
            >
              {t('common.remove')}
            </button>
          </div>
        </li>
      </ul>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{t('thermometers.lastDay')}</summary>
        {isOpen.value && (
          <TemperatureChart
            sensor={id}
            days={1}
            snapshot={snapshot}
            label={t('thermometers.chartOf', { name: shownName })}
          />
        )}
      </details>
    </li>
  );
}
