import { type Answer, request } from '../../api/client.ts';
import type { Controller, FlowMeter, PinMeter } from '../../api/generated.ts';
import { formatAge } from '../../app/format-age.ts';
import type { ControllerParts } from '../../app/page-slots.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { locale, t } from '../../locales/locale.ts';

const factorFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

type Changed = Answer<{ readonly correction_id: number | null }>;

interface MeterRowProps {
  readonly meter: FlowMeter;
  readonly tap: { readonly id: string; readonly name: string } | null;
  /** Its pin of this machine; null for a meter of another controller. */
  readonly pin: PinMeter | null;
  onEdit(): void;
}

/** A flow meter: its tap, calibration and last pour. */
export function MeterRow({ meter, tap, pin, onEdit }: MeterRowProps) {
  const { runAction, error, isBusy } = useAction();
  const name = meter.nice_name || meter.name;
  const change = (send: () => Promise<Changed>, done: string) =>
    void runAction(send, ({ correction_id: id }) =>
      showToast(done, id === null ? null : () => void undoCorrection(id)),
    );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          <a href={toHref(`/meters/${meter.id}`)}>{name}</a>
        </p>
        <p>{tap === null ? t('wiring.noTap') : tap.name}</p>
        <p>
          {t('meters.ticksPerMl', { factor: factorFormat.format(meter.ticks_per_ml) })}
          {!meter.calibrated && ` (${t('controllers.uncalibrated')})`}
          {tap !== null && (
            <>
              {' · '}
              <a href={toHref(`/taps/${tap.id}/calibrate`)}>{t('wiring.calibrate', { tap: tap.name })}</a>
            </>
          )}
        </p>
        <p class="soft">
          {[
            name === meter.name ? null : meter.name,
            meter.last_counted_time === null
              ? t('meters.neverPoured')
              : t('meters.lastPour', { age: formatAge(meter.last_counted_time) }),
            pin?.fixed ? t('pins.fixed') : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {meter.notes !== '' && <p class="soft">{meter.notes}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        <button type="button" class="chip" aria-label={t('meters.editOf', { name })} onClick={onEdit}>
          {t('thermometers.edit')}
        </button>
        {tap !== null && (
          <button
            type="button"
            class="chip"
            aria-disabled={isBusy || undefined}
            aria-label={t('meters.unbindOf', { name })}
            onClick={() =>
              change(
                () => request('PATCH /flow-meters/{id}', { path: { id: meter.id }, body: { tap_id: null } }),
                t('meters.unbound', { name, tap: tap.name }),
              )
            }
          >
            {t('meters.unbind')}
          </button>
        )}
        {pin === null ? (
          <button
            type="button"
            class="chip is-danger"
            aria-disabled={isBusy || undefined}
            aria-label={t('common.removeOf', { name })}
            onClick={() =>
              change(
                () => request('DELETE /flow-meters/{id}', { path: { id: meter.id } }),
                t('meters.deleted', { name }),
              )
            }
          >
            {t('common.remove')}
          </button>
        ) : (
          <a class="chip" href={toHref('/hardware')} aria-label={t('meters.pinOf', { name, pin: pin.pin })}>
            {t('meters.pin', { pin: pin.pin })}
          </a>
        )}
      </div>
    </li>
  );
}

interface ControllerRowProps {
  readonly controller: Controller;
  /** What an extension shows of it. */
  readonly parts: ControllerParts | null;
  readonly isThisMachine: boolean;
  onEdit(): void;
}

/** A controller: its model, and when it was last seen or what an extension shows of it. */
export function ControllerRow({ controller, parts, isThisMachine, onEdit }: ControllerRowProps) {
  const { runAction, error, isBusy } = useAction();
  const name = controller.nice_name || controller.name;
  const { model_name: model, serial_number: serial, last_seen_time: lastSeen } = controller;
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <p class="soft">
          {[
            name === controller.name ? null : controller.name,
            model,
            serial,
            parts === null ? formatSeen(lastSeen, isThisMachine) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {parts?.state}
        {controller.notes !== '' && <p class="soft">{controller.notes}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        <button type="button" class="chip" aria-label={t('meters.editOf', { name })} onClick={onEdit}>
          {t('thermometers.edit')}
        </button>
        {parts?.actions.map((action) => (
          <button
            key={action.name}
            type="button"
            class="chip"
            aria-label={action.name}
            aria-disabled={isBusy || undefined}
            onClick={() => void runAction(() => action.send(), action.success)}
          >
            {action.label}
          </button>
        ))}
        {!isThisMachine && (
          <button
            type="button"
            class="chip is-danger"
            aria-disabled={isBusy || undefined}
            aria-label={t('common.removeOf', { name })}
            onClick={() =>
              void runAction(
                () => request('DELETE /controllers/{id}', { path: { id: controller.id } }),
                ({ correction_id: id }) =>
                  showToast(
                    t('meters.controllerDeleted', { name }),
                    id === null ? null : () => void undoCorrection(id),
                  ),
              )
            }
          >
            {t('common.remove')}
          </button>
        )}
      </div>
    </li>
  );
}

function formatSeen(lastSeen: string | null, isThisMachine: boolean): string {
  if (isThisMachine) return t('meters.thisMachine');
  return lastSeen === null ? t('meters.neverSeen') : t('controllers.lastSeen', { time: formatAge(lastSeen) });
}
