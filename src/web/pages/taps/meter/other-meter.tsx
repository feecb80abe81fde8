import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { FlowMeter } from '../../../api/generated.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { Checkbox } from '../calibration/apply-calibration.tsx';
import { explainDecimal, parseDecimal } from '../calibration/measurement.ts';
import { findSwapTaps } from './swap-taps.ts';

interface OtherMeterProps {
  readonly meter: FlowMeter;
  readonly meters: readonly FlowMeter[];
  readonly tap: LiveTap | null;
  readonly snapshot: SnapshotMessage;
}

/** What staff do about a meter that contradicts all that was known: say that it was replaced, or swap it with that of another tap. */
export function OtherMeter({ meter, meters, tap, snapshot }: OtherMeterProps) {
  const open = useSignal<'replaced' | 'swap' | null>(null);
  const close = () => (open.value = null);
  const others = tap === null ? [] : findSwapTaps(tap.id, meters, snapshot.taps);
  return (
    <>
      <div class="row-actions">
        <button type="button" class="chip" onClick={() => (open.value = 'replaced')}>
          {t('meterPage.replaced.action')}
        </button>
        {others.length > 0 && (
          <button type="button" class="chip" onClick={() => (open.value = 'swap')}>
            {t('meterPage.swap.action')}
          </button>
        )}
      </div>
      {open.value === 'replaced' && <ReplacedDialog meter={meter} onClose={close} />}
      {open.value === 'swap' && tap !== null && <SwapDialog tap={tap} others={others} onClose={close} />}
    </>
  );
}

function ReplacedDialog({ meter, onClose }: { readonly meter: FlowMeter; onClose(): void }) {
  const { runAction, error, isBusy } = useAction();
  const typed = useSignal('');
  const id = useId();
  const fault = explainDecimal(typed.value);
  const confirm = () => {
    const factor = parseDecimal(typed.value);
    const body = factor === null ? {} : { ticks_per_ml: factor };
    return runAction(
      () => request('POST /flow-meters/{id}/replaced', { path: { id: meter.id }, body }),
      (answer) => {
        onClose();
        showUndoable(t('meterPage.replaced.done'), answer);
      },
    );
  };
  return (
    <Dialog title={t('meterPage.replaced.action')} onClose={onClose}>
      <p>{t('meterPage.replaced.what')}</p>
      <label class="field" for={id}>
        {t('meterPage.replaced.factor')}
        <input
          id={id}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          maxLength={12}
          value={typed.value}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        {fault !== null && (
          <span class="refusal" id={`${id}-fault`}>
            {fault}
          </span>
        )}
      </label>
      <ErrorMessage>{error}</ErrorMessage>
      <p>
        <button
          type="button"
          class="button"
          aria-disabled={isBusy || fault !== null || undefined}
          onClick={() => fault === null && void confirm()}
        >
          {t('meterPage.replaced.confirm')}
        </button>
      </p>
    </Dialog>
  );
}

interface SwapDialogProps {
  readonly tap: LiveTap;
  /** At least one. */
  readonly others: readonly LiveTap[];
  onClose(): void;
}

function SwapDialog({ tap, others, onClose }: SwapDialogProps) {
  const { runAction, error, isBusy } = useAction();
  const chosenId = useSignal(others[0]!.id);
  const onlyCables = useSignal(true);
  const id = useId();
  const other = others.find((one) => one.id === chosenId.value) ?? others[0]!;
  const confirm = () =>
    runAction(
      () =>
        request('POST /taps/{ref}/swap-meters', {
          path: { ref: tap.id },
          body: { tap: other.id, exchange_factors: onlyCables.value },
        }),
      (answer) => {
        onClose();
        showUndoable(t('meterPage.swap.done', { tap: tap.name, other: other.name }), answer);
      },
    );
  return (
    <Dialog title={t('meterPage.swap.action')} onClose={onClose}>
      <p>{t('meterPage.swap.what')}</p>
      <label class="field" for={id}>
        {t('meterPage.swap.with')}
        <select id={id} value={other.id} onChange={(event) => (chosenId.value = event.currentTarget.value)}>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <Checkbox
        label={t('meterPage.swap.onlyCables')}
        isSet={onlyCables.value}
        onSet={(isSet) => (onlyCables.value = isSet)}
      />
      <ErrorMessage>{error}</ErrorMessage>
      <p>
        <button
          type="button"
          class="button"
          aria-disabled={isBusy || undefined}
          onClick={() => void confirm()}
        >
          {t('meterPage.swap.confirm', { tap: tap.name, other: other.name })}
        </button>
      </p>
    </Dialog>
  );
}
