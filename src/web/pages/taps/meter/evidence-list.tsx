import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { FlowMeter, MeterEvidence } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatFineVolume } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { findText, locale, t } from '../../../locales/locale.ts';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const wholeFormat = new Intl.NumberFormat(locale);

/** What is said of evidence that comes from a keg. */
const kegTexts = {
  emptied_keg: 'meterPage.kegOf',
  weighed_keg: 'meterPage.weighedKegOf',
  scale: 'meterPage.scaleKegOf',
} as const;

interface EvidenceListProps {
  readonly meter: FlowMeter;
  /** Oldest first. */
  readonly evidence: readonly MeterEvidence[];
  readonly snapshot: SnapshotMessage;
}

/** The measurements from which a meter learns, newest first; staff leave wrong ones out. */
export function EvidenceList({ meter, evidence, snapshot }: EvidenceListProps) {
  return (
    <section class="group" aria-labelledby="meter-evidence">
      <h3 id="meter-evidence">{t('meterPage.evidence')}</h3>
      <div class="card">
        {evidence.length === 0 && <p class="soft">{t('meterPage.noEvidence')}</p>}
        <ul class="rows" aria-label={t('meterPage.evidence')}>
          {evidence.toReversed().map((one) => (
            <EvidenceRow key={one.id} meter={meter} evidence={one} snapshot={snapshot} />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface EvidenceRowProps {
  readonly meter: FlowMeter;
  readonly evidence: MeterEvidence;
  readonly snapshot: SnapshotMessage;
}

function EvidenceRow({ meter, evidence, snapshot }: EvidenceRowProps) {
  const { runAction, error, isBusy } = useAction();
  const { id, keg_id: kegId, state, incomplete_reason: reason } = evidence;
  const time = formatBarTime(barTime(evidence.time, snapshot));
  const isDiscarded = state === 'discarded';
  const change = () =>
    runAction(
      () =>
        request('PATCH /flow-meters/{id}/evidence/{evidence_id}', {
          path: { id: meter.id, evidence_id: id },
          body: { is_discarded: !isDiscarded },
        }),
      t(isDiscarded ? 'meterPage.restored' : 'meterPage.discarded'),
    );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {kegId === null ? (
            t('meterPage.kinds.pours')
          ) : (
            <a href={toHref(`/kegs/${kegId}`)}>
              {t(kegTexts[evidence.kind === 'pours' ? 'emptied_keg' : evidence.kind], { id: kegId })}
            </a>
          )}
          {state !== 'used' && <span class="soft"> · {findText('meterPage.states', state)}</span>}
        </p>
        <p>
          {t('calibration.measuredFigureAlone', { figure: factorFormat.format(evidence.ticks_per_ml) })} ±{' '}
          {percentFormat.format(evidence.uncertainty)}
        </p>
        <p class="soft">
          {[
            time,
            t('meterPage.ticksFor', {
              ticks: wholeFormat.format(evidence.ticks),
              volume: formatFineVolume(evidence.volume_ml, snapshot),
            }),
          ].join(' · ')}
        </p>
        {reason !== null && <p>{findText('meterPage.incompleteReasons', reason)}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-disabled={isBusy || undefined}
        aria-label={t(isDiscarded ? 'meterPage.useOf' : 'meterPage.doNotUseOf', { time })}
        onClick={() => void change()}
      >
        {t(isDiscarded ? 'meterPage.use' : 'meterPage.doNotUse')}
      </button>
    </li>
  );
}
