import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { FlowMeter, MeterLearning } from '../../../api/generated.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { locale, t } from '../../../locales/locale.ts';
import { Checkbox, FactorChange, KegEffect } from '../calibration/apply-calibration.tsx';
import { useDebouncedRequest } from '../calibration/use-debounced-request.ts';

const factorFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

interface LearnedOfferProps {
  readonly meter: FlowMeter;
  readonly learning: MeterLearning;
  readonly tap: LiveTap | null;
  readonly snapshot: SnapshotMessage;
}

/** The learned factor; where it differs enough, a preview of its effect and the button that applies it. */
export function LearnedOffer({ meter, learning: { learned }, tap, snapshot }: LearnedOfferProps) {
  return (
    <section class="group" aria-labelledby="meter-learned">
      <h3 id="meter-learned">{t('meterPage.learned')}</h3>
      <div class="card group">
        {learned === null ? (
          <p class="soft">{t('meterPage.nothingLearned')}</p>
        ) : (
          <>
            <p>
              {t('meterPage.learnedFactor', {
                figure: factorFormat.format(learned.ticks_per_ml),
                share: percentFormat.format(learned.uncertainty),
              })}{' '}
              {!learned.is_offered && t('meterPage.noOffer')}
            </p>
            {learned.is_offered && (
              <Offer meter={meter} factor={learned.ticks_per_ml} tap={tap} snapshot={snapshot} />
            )}
          </>
        )}
      </div>
    </section>
  );
}

interface OfferProps extends Omit<LearnedOfferProps, 'learning'> {
  readonly factor: number;
}

function Offer({ meter, factor, tap, snapshot }: OfferProps) {
  const { runAction, error, isBusy } = useAction();
  const applyToKeg = useSignal(false);
  const path = { id: meter.id };
  const kegId = tap?.keg?.id ?? null;
  const preview = useDebouncedRequest({ ticks_per_ml: factor, apply_to_keg: kegId }, (body) =>
    request('POST /flow-meters/{id}/calibration-preview', { path, body }),
  );
  const figure = factorFormat.format(factor);
  const apply = () =>
    runAction(
      () =>
        request('POST /flow-meters/{id}/apply-learned', {
          path,
          body: { ticks_per_ml: factor, apply_to_keg: applyToKeg.value ? kegId : null },
        }),
      (applied) => showUndoable(t('calibration.applied', { figure }), applied),
    );
  return (
    <>
      <FactorChange before={meter.ticks_per_ml} after={factor} />
      <ErrorMessage>{error ?? preview.error}</ErrorMessage>
      {kegId !== null && (
        <>
          <Checkbox
            label={t('calibration.recalculateKeg')}
            isSet={applyToKeg.value}
            onSet={(on) => (applyToKeg.value = on)}
          />
          {applyToKeg.value && preview.result && <KegEffect preview={preview.result} snapshot={snapshot} />}
        </>
      )}
      <button
        type="button"
        class="button apply-calibration"
        aria-disabled={isBusy || undefined}
        onClick={() => void apply()}
      >
        {t('calibration.apply', { figure })}
      </button>
    </>
  );
}
