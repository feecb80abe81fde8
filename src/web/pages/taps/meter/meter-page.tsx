import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { FlowMeter, MeterLearning } from '../../../api/generated.ts';
import { barTime, formatBarTime } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { findText, locale, t } from '../../../locales/locale.ts';
import { CalibrationHistory } from '../calibration/calibration-history.tsx';
import { CurveSection } from './curve-editor.tsx';
import { DriftChart } from './drift-chart.tsx';
import { EvidenceList } from './evidence-list.tsx';
import { LearnedOffer } from './learned-offer.tsx';
import { OtherMeter } from './other-meter.tsx';
import '../../../styles/taps/calibration.css';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** What is known of one flow meter: its factor, what it has learned, its evidence, drift and history. */
export function MeterPage({ snapshot, id }: PageProps) {
  const meterId = Number(id);
  const { result, error } = useResource('GET /flow-meters', { query: { limit: 1000 } });
  const meter = result?.flow_meters.find((one) => one.id === meterId);
  return (
    <Page
      title={t('meterPage.title', { meter: meter?.nice_name || (meter?.name ?? '') })}
      requiredRole="staff"
    >
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && meter === undefined && <p>{t('meterPage.notFound')}</p>}
      {meter !== undefined && (
        <MeterDetails meter={meter} meters={result?.flow_meters ?? []} snapshot={snapshot} />
      )}
    </Page>
  );
}

interface MeterDetailsProps {
  readonly meter: FlowMeter;
  readonly meters: readonly FlowMeter[];
  readonly snapshot: SnapshotMessage;
}

function MeterDetails({ meter, meters, snapshot }: MeterDetailsProps) {
  const { result, error } = useResource('GET /flow-meters/{id}/learning', { path: { id: meter.id } });
  const tap = snapshot.taps.find((one) => one.id === meter.tap_id) ?? null;
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      <section class="group" aria-labelledby="meter-factor">
        <h3 id="meter-factor">{t('meterPage.factor')}</h3>
        <div class="card group">
          <p class="calibration-change">
            {t('calibration.measuredFigureAlone', { figure: factorFormat.format(meter.ticks_per_ml) })}
            {meter.uncertainty !== null && ` ± ${percentFormat.format(meter.uncertainty)}`}
          </p>
          <p class="soft">
            {!meter.calibrated && `${t('calibration.defaultFactor')} `}
            {tap === null ? t('wiring.noTap') : tap.name}
            {tap !== null && (
              <>
                {' · '}
                <a href={toHref(`/taps/${tap.id}/calibrate`)}>{t('wiring.calibrate', { tap: tap.name })}</a>
              </>
            )}
          </p>
          {result?.drift && <DriftNote drift={result.drift} snapshot={snapshot} />}
          {result?.drift?.cause === 'other_meter' && (
            <OtherMeter meter={meter} meters={meters} tap={tap} snapshot={snapshot} />
          )}
        </div>
      </section>
      {result !== null && (
        <>
          <LearnedOffer meter={meter} learning={result} tap={tap} snapshot={snapshot} />
          <DriftChart evidence={result.evidence} snapshot={snapshot} />
          <EvidenceList meter={meter} evidence={result.evidence} snapshot={snapshot} />
        </>
      )}
      <CurveSection meter={meter} tap={tap} snapshot={snapshot} />
      <CalibrationHistory meter={meter} snapshot={snapshot} />
    </>
  );
}

function DriftNote({
  drift,
  snapshot,
}: {
  readonly drift: NonNullable<MeterLearning['drift']>;
  readonly snapshot: SnapshotMessage;
}) {
  const { direction, cause, since } = drift;
  return (
    <p class="refusal">
      {t('meterPage.drifts', { direction, time: formatBarTime(barTime(since, snapshot)) })}{' '}
      {findText('meterPage.causes', cause)}
    </p>
  );
}
