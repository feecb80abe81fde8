import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { Hardware } from '../../../api/generated.ts';
import { formatQuantity, temperature } from '../../../app/format.ts';
import { isSuperuser } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import type { PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { HardwarePage } from '../../controllers/hardware-page.tsx';
import { OpenTaps } from '../../controllers/open-taps.tsx';
import { OtherMachine } from './other-machine.tsx';
import { type EditedPart, PartDialog } from './part-dialog.tsx';
import { PinMeterRow, PinRelayRow } from './part-rows.tsx';
import { PinHeader } from './pin-header.tsx';
import { undoHardware } from './show-change.ts';
import '../../../styles/taps/wiring.css';

/** Short, so that blowing into a meter shows at once. */
const liveMs = 500;
const refreshMs = 5_000;

/** Meters, relays and thermometers on the pins of this machine; superusers change them. */
export function PinsPage({ snapshot }: PageProps) {
  return (
    <HardwarePage title={t('pins.title')}>
      <Pins snapshot={snapshot} />
    </HardwarePage>
  );
}

function Pins({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource('GET /hardware', {}, { intervalMs: refreshMs });
  const wired = useResource('GET /admin/wiring', {}, { intervalMs: liveMs }).result?.wiring.meters ?? [];
  const edited = useSignal<EditedPart | null>(null);
  const hardware = result?.hardware;
  if (hardware === undefined)
    return (
      <>
        <ErrorMessage>{error}</ErrorMessage>
        {error !== null && <OpenTaps snapshot={snapshot} />}
      </>
    );
  const tapName = (id: string | null) => snapshot.taps.find((tap) => tap.id === id)?.name ?? null;
  const modelName = (id: string | null) => hardware.models.find((one) => one.id === id)?.name ?? null;
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      <div>
        <p>{t('pins.intro')}</p>
        {!isSuperuser.value && <p class="soft">{t('pins.superusersOnly')}</p>}
      </div>
      <OtherMachine relays={hardware.relays} />
      <Pending hardware={hardware} />
      <section class="group" aria-labelledby="pin-meters">
        <h3 id="pin-meters">{t('wiring.meters')}</h3>
        <div class="card">
          {hardware.meters.length === 0 && <p class="soft">{t('meters.none')}</p>}
          <ul class="rows" aria-label={t('wiring.meters')}>
            {hardware.meters.map((part) => (
              <PinMeterRow
                key={part.port}
                part={part}
                tapName={tapName(part.tap_id)}
                live={wired.find(({ name }) => name === part.name)}
                model={modelName(part.model)}
                onEdit={() => (edited.value = { kind: 'meter', part })}
              />
            ))}
          </ul>
          <p class="soft pin-hint">{t('pins.tryMeter')}</p>
          {isSuperuser.value && (
            <button
              type="button"
              class="button pin-add"
              onClick={() => (edited.value = { kind: 'meter', part: null })}
            >
              {t('pins.add.meter')}
            </button>
          )}
        </div>
      </section>
      <section class="group" aria-labelledby="pin-relays">
        <h3 id="pin-relays">{t('wiring.relays')}</h3>
        <div class="card">
          {hardware.relays.length === 0 && <p class="soft">{t('pins.noRelays')}</p>}
          <ul class="rows" aria-label={t('wiring.relays')}>
            {hardware.relays.map((part) => (
              <PinRelayRow
                key={part.port}
                part={part}
                tapName={tapName(part.tap_id)}
                onEdit={() => (edited.value = { kind: 'relay', part })}
              />
            ))}
          </ul>
          {isSuperuser.value && (
            <button
              type="button"
              class="button pin-add"
              onClick={() => (edited.value = { kind: 'relay', part: null })}
            >
              {t('pins.add.relay')}
            </button>
          )}
        </div>
      </section>
      <OpenTaps snapshot={snapshot} />
      <Probes hardware={hardware} snapshot={snapshot} tapName={tapName} />
      <section class="group" aria-labelledby="pin-table">
        <h3 id="pin-table">{t('pins.header')}</h3>
        <div class="card">
          <PinHeader pins={hardware.pins} />
        </div>
      </section>
      {edited.value && (
        <PartDialog edited={edited.value} hardware={hardware} onClose={() => (edited.value = null)} />
      )}
    </>
  );
}

/** Undo of the newest change, and the restart that some pin drivers need. */
function Pending({ hardware }: { readonly hardware: Hardware }) {
  const { runAction, error, isBusy } = useAction();
  const { undo_id: undoId, restart_needed: isRestartNeeded, can_restart: canRestart } = hardware;
  if (!isSuperuser.value || (undoId === null && !isRestartNeeded)) return null;
  return (
    <div class="card">
      <ErrorMessage>{error}</ErrorMessage>
      {isRestartNeeded && <p>{canRestart ? t('pins.restartNeeded') : t('pins.restartByHand')}</p>}
      <div class="row-actions">
        {isRestartNeeded && canRestart && (
          <button
            type="button"
            class="button"
            aria-disabled={isBusy || undefined}
            onClick={() => void runAction(() => request('POST /hardware/restart'), t('pins.restarting'))}
          >
            {t('pins.restart')}
          </button>
        )}
        {undoId !== null && (
          <button type="button" class="chip" onClick={() => void undoHardware(undoId)}>
            {t('pins.undoLast')}
          </button>
        )}
      </div>
    </div>
  );
}

interface ProbesProps {
  readonly hardware: Hardware;
  readonly snapshot: SnapshotMessage;
  tapName(id: string | null): string | null;
}

/** Thermometers on the bus; they need no pin of their own. */
function Probes({ hardware, snapshot, tapName }: ProbesProps) {
  return (
    <section class="group" aria-labelledby="pin-probes">
      <h3 id="pin-probes">{t('wiring.thermoSensors')}</h3>
      <div class="card">
        {hardware.probes.length === 0 && <p class="soft">{t('pins.noProbes')}</p>}
        <ul class="rows" aria-label={t('wiring.thermoSensors')}>
          {hardware.probes.map((probe) => (
            <li key={probe.name}>
              <div class="row-text">
                <p class="row-name">{probe.nice_name || probe.name}</p>
                <p class="soft">
                  {[probe.nice_name ? probe.name : null, tapName(probe.tap_id)].filter(Boolean).join(' · ')}
                </p>
                {probe.fixed && <p class="soft">{t('pins.fixed')}</p>}
              </div>
              {probe.temp_c !== null && (
                <p class="row-figure">{formatQuantity(temperature(probe.temp_c, snapshot))}</p>
              )}
            </li>
          ))}
        </ul>
        <p>
          <a href={toHref('/thermometers')}>{t('pins.toThermometers')}</a>
        </p>
      </div>
    </section>
  );
}
