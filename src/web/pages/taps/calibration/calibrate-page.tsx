import { useSignal } from '@preact/signals';
import { fromCelsius } from '../../../../core/temperatures/temperature-units.ts';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { FlowMeter } from '../../../api/generated.ts';
import { formatDecimal } from '../../../app/format.ts';
import type { LiveState } from '../../../app/live.ts';
import { newestDrinkId } from '../../../app/live.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { ApplyCalibration } from './apply-calibration.tsx';
import { CalibrationHistory } from './calibration-history.tsx';
import { MeasuredPours } from './measured-pours.tsx';
import { type MeasuringMethod, readMeasurement } from './measurement.ts';
import { MeterCurveSection } from './meter-curve.tsx';
import { RunningPour } from './running-pour.tsx';
import { useDebouncedRequest } from './use-debounced-request.ts';
import '../../../styles/taps/calibration.css';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Calibrates the meter of one tap with pours of measured volume or weight. */
export function CalibratePage({ snapshot, id, live }: PageProps) {
  const tap = snapshot.taps.find((tap) => tap.id === id);
  const { result, error } = useResource(
    'GET /flow-meters',
    tap?.meter_name == null ? null : { query: { limit: 1000 } },
  );
  // The beverage's own final gravity is more exact than the default.
  const item = useResource('GET /taps/{ref}', tap === undefined ? null : { path: { ref: tap.id } }).result;
  const meter = result?.flow_meters.find(({ name }) => name === tap?.meter_name);
  return (
    <Page title={t('calibration.title', { tap: tap?.name ?? '' })} requiredRole="staff">
      <ErrorMessage>{tap === undefined ? t('calibration.noTap') : error}</ErrorMessage>
      {tap !== undefined && tap.meter_name === null && (
        <p>
          {t('calibration.noMeter')}{' '}
          <a href={toHref(`/taps/${tap.id}/edit`)}>{t('calibration.chooseMeter')}</a>
        </p>
      )}
      {tap !== undefined && meter !== undefined && item !== null && (
        <CalibrationWizard
          key={meter.id}
          tap={tap}
          meter={meter}
          gravity={item.beverage?.specific_gravity ?? null}
          snapshot={snapshot}
          live={live}
        />
      )}
    </Page>
  );
}

interface CalibrationWizardProps {
  readonly tap: LiveTap;
  readonly meter: FlowMeter;
  /** Final gravity of the beer on the tap; null when unknown. */
  readonly gravity: number | null;
  readonly snapshot: SnapshotMessage;
  readonly live: LiveState;
}

function CalibrationWizard({ tap, meter, gravity, snapshot, live }: CalibrationWizardProps) {
  const inputs = useSignal<Readonly<Record<number, string>>>({});
  const method = useSignal<MeasuringMethod>({
    tool: 'jug',
    gravity: gravity === null ? '' : formatDecimal(gravity, 3),
    temp: formatDecimal(beerTemperature(tap, snapshot), 0),
    tare: '',
  });
  const poursResource = useResource(
    'GET /flow-meters/{id}/pours',
    { path: { id: meter.id } },
    { reloadKey: `${newestDrinkId(snapshot)}/${snapshot.held}` },
  );
  const pours = poursResource.result?.pours ?? [];
  const measurements = pours.flatMap((pour) => {
    const typed = readMeasurement(pour.ticks, inputs.value[pour.id] ?? '', method.value, snapshot);
    return typed.kind === 'measured' ? [{ pour, measurement: { ...typed.measurement, hz: pour.hz } }] : [];
  });
  const {
    result: estimate,
    error,
    isCurrent,
  } = useDebouncedRequest(
    measurements.length === 0 ? null : measurements.map(({ measurement }) => measurement),
    (body) =>
      request('POST /flow-meters/{id}/calibration-estimate', {
        path: { id: meter.id },
        body: { pours: body },
      }),
  );
  // An estimate for a different number of pours is outdated.
  const currentEstimate = estimate?.pours.length === measurements.length ? estimate : null;
  const estimates = new Map(
    measurements.flatMap(({ pour }, i) =>
      currentEstimate?.pours[i] ? [[pour.id, currentEstimate.pours[i]] as const] : [],
    ),
  );
  const measuredDrinks = measurements.flatMap(({ pour }, i) => {
    const volumeMl = currentEstimate?.pours[i]?.volume_ml;
    return volumeMl === undefined ? [] : [{ id: pour.id, isValid: pour.is_valid, volumeMl }];
  });
  const onDone = () => (inputs.value = {});
  return (
    <>
      <p>
        {t('calibration.currentFactor', { figure: factorFormat.format(meter.ticks_per_ml) })}{' '}
        {!meter.calibrated && t('calibration.defaultFactor')}
        {meter.uncertainty !== null &&
          t('calibration.knownTo', { share: percentFormat.format(meter.uncertainty) })}{' '}
        <a href={toHref(`/meters/${meter.id}`)}>{t('meterPage.link')}</a>
      </p>
      <RunningPour tap={tap} snapshot={snapshot} pour={live.currentPour(tap.id)} />
      <MeasuredPours
        pours={pours}
        snapshot={snapshot}
        method={method.value}
        inputs={inputs.value}
        estimates={estimates}
        onMethodChange={(next) => (method.value = next)}
        onInput={(id, text) => (inputs.value = { ...inputs.value, [id]: text })}
      />
      <ApplyCalibration
        meter={meter}
        tap={tap}
        snapshot={snapshot}
        estimate={currentEstimate}
        isCurrent={isCurrent}
        error={poursResource.error ?? error}
        measuredDrinks={measuredDrinks}
        onDone={onDone}
      />
      <MeterCurveSection
        {...{ meter, tap, snapshot, measuredDrinks, onDone }}
        estimate={isCurrent ? currentEstimate : null}
      />
      <CalibrationHistory meter={meter} snapshot={snapshot} />
    </>
  );
}

/** The tap's temperature, or 5 °C, usual for stored kegs, when it is unknown; in the site's unit. */
function beerTemperature(tap: LiveTap, snapshot: SnapshotMessage): number {
  const celsius = tap.temp_c === null || tap.temp_stale ? 5 : tap.temp_c;
  return fromCelsius(celsius, snapshot.temperature_units);
}
