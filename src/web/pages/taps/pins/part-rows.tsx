import type { ComponentChildren } from 'preact';
import { request } from '../../../api/client.ts';
import type { PinMeter, PinRelay, WiredMeter } from '../../../api/generated.ts';
import { isSuperuser } from '../../../app/me.ts';
import { formatProblem } from '../../../app/problem-text.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { locale, t } from '../../../locales/locale.ts';
import { showChange } from './show-change.ts';

/** Long enough to hear a relay click; the daemon closes it by itself then. */
const testSeconds = 2;

const integerFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

interface RowProps<P> {
  readonly part: P;
  readonly tapName: string | null;
  onEdit(): void;
}

/** A meter on a pin with its live tick count. */
export function PinMeterRow({
  part,
  tapName,
  live,
  model,
  onEdit,
}: RowProps<PinMeter> & { readonly live: WiredMeter | undefined; readonly model: string | null }) {
  const action = useAction();
  return (
    <li>
      <PartText part={part} tapName={tapName} more={model} error={action.error}>
        {part.tap_id === null && !part.fixed && (
          <p>
            <a href={toHref('/meters')}>{t('wiring.assignToTap')}</a>
          </p>
        )}
      </PartText>
      {live !== undefined && (
        <p class="row-figure pin-ticks" data-flows={(live.hz ?? 0) > 0}>
          {t('pins.ticks', { ticks: integerFormat.format(live.ticks) })}
        </p>
      )}
      <PartActions
        part={part}
        isBusy={action.isBusy}
        onEdit={onEdit}
        onRemove={() =>
          void action.runAction(
            () => request('DELETE /hardware/meters/{port}', { path: { port: part.port } }),
            (result) => showChange(t('meters.deleted', { name: part.name }), result),
          )
        }
      />
    </li>
  );
}

/** A relay on a pin with its test. */
export function PinRelayRow({ part, tapName, onEdit }: RowProps<PinRelay>) {
  const action = useAction();
  const id = part.flow_toggle_id;
  return (
    <li>
      <PartText part={part} tapName={tapName} more={null} error={action.error} />
      {id !== null && part.state === 'works' && (
        <button
          type="button"
          class="chip"
          aria-disabled={action.isBusy || undefined}
          aria-label={t('pins.testOf', { name: part.name, seconds: testSeconds })}
          onClick={() =>
            void action.runAction(
              () => request('POST /flow-toggles/{id}/open', { path: { id }, body: { seconds: testSeconds } }),
              () => showToast(t('pins.testing', { name: part.name, seconds: testSeconds })),
            )
          }
        >
          {t('pins.test', { seconds: testSeconds })}
        </button>
      )}
      <PartActions
        part={part}
        isBusy={action.isBusy}
        onEdit={onEdit}
        onRemove={() =>
          void action.runAction(
            () => request('DELETE /hardware/relays/{port}', { path: { port: part.port } }),
            (result) => showChange(t('pins.relayDeleted', { name: part.name }), result),
          )
        }
      />
    </li>
  );
}

interface PartTextProps {
  readonly part: PinMeter | PinRelay;
  readonly tapName: string | null;
  readonly more: string | null;
  readonly error: Parameters<typeof ErrorMessage>[0]['children'];
  readonly children?: ComponentChildren;
}

function PartText({ part, tapName, more, error, children }: PartTextProps) {
  return (
    <div class="row-text">
      <p class="row-name">{tapName ?? part.name}</p>
      <p class="soft">
        {[
          tapName === null ? null : part.name,
          t('wiring.gpio', { pin: part.pin }),
          part.header_pin === null ? null : t('wiring.headerPin', { pin: part.header_pin }),
          more,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {part.fixed && <p class="soft">{t('pins.fixed')}</p>}
      {part.state !== 'works' && <p class="refusal">{t(`pins.states.${part.state}`)}</p>}
      {part.problem !== null && <p class="soft">{formatProblem(part.problem)}</p>}
      {children}
      <ErrorMessage>{error}</ErrorMessage>
    </div>
  );
}

interface PartActionsProps {
  readonly part: PinMeter | PinRelay;
  readonly isBusy: boolean;
  onEdit(): void;
  onRemove(): void;
}

/** Nothing for parts of the settings file, and for staff who may not change hardware. */
function PartActions({ part, isBusy, onEdit, onRemove }: PartActionsProps) {
  if (part.fixed || !isSuperuser.value) return null;
  return (
    <div class="row-actions">
      <button type="button" class="chip" aria-label={t('pins.editOf', { name: part.name })} onClick={onEdit}>
        {t('thermometers.edit')}
      </button>
      <button
        type="button"
        class="chip is-danger"
        aria-disabled={isBusy || undefined}
        aria-label={t('common.removeOf', { name: part.name })}
        onClick={onRemove}
      >
        {t('common.remove')}
      </button>
    </div>
  );
}
