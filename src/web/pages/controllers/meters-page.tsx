import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { FlowMeter } from '../../api/generated.ts';
import { Controllers } from '../../app/slots.tsx';
import { ErrorMessage } from '../../components/action.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { locale, t } from '../../locales/locale.ts';
import { DeviceDialog, type EditedDevice } from './device-dialog.tsx';
import { ControllerRow, MeterRow } from './device-rows.tsx';
import { HardwarePage } from './hardware-page.tsx';

const refreshMs = 10_000;

/** Flow meters and the controllers that own them: names, notes, taps, calibration. */
export function MetersPage({ snapshot }: PageProps) {
  return (
    <HardwarePage title={t('meters.title')}>
      <Devices snapshot={snapshot} />
    </HardwarePage>
  );
}

/** flow2 before flow10. */
const byName = (one: FlowMeter, other: FlowMeter): number =>
  one.name.localeCompare(other.name, locale, { numeric: true });

function Devices({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const all = { query: { limit: 1000 } };
  const options = { intervalMs: refreshMs };
  const meters = useResource('GET /flow-meters', all, options);
  const controllers = useResource('GET /controllers', all, options);
  const hardware = useResource('GET /hardware', {}).result?.hardware;
  const edited = useSignal<EditedDevice | null>(null);
  const list = (meters.result?.flow_meters ?? []).toSorted(byName);
  const owners = controllers.result?.controllers ?? [];
  const pinOf = (name: string) => hardware?.meters.find((one) => one.name === name);
  return (
    <>
      <ErrorMessage>{meters.error ?? controllers.error}</ErrorMessage>
      <section class="group" aria-labelledby="meters">
        <h3 id="meters">{t('wiring.meters')}</h3>
        {meters.result !== null && list.length === 0 && (
          <EmptyState text={t('meters.none')} action={t('pins.title')} path="/hardware" />
        )}
        {list.length > 0 && (
          <div class="card">
            <ul class="rows" aria-label={t('wiring.meters')}>
              {list.map((meter) => (
                <MeterRow
                  key={meter.id}
                  meter={meter}
                  tap={snapshot.taps.find(({ id }) => id === meter.tap_id) ?? null}
                  pin={pinOf(meter.name) ?? null}
                  onEdit={() => (edited.value = { kind: 'meter', device: meter })}
                />
              ))}
            </ul>
          </div>
        )}
      </section>
      <Controllers controllers={owners} snapshot={snapshot}>
        {(partsOf) => (
          <section class="group" aria-labelledby="controllers">
            <h3 id="controllers">{t('controllers.boards')}</h3>
            <div class="card">
              <ul class="rows" aria-label={t('controllers.boards')}>
                {owners.map((controller) => (
                  <ControllerRow
                    key={controller.id}
                    controller={controller}
                    parts={partsOf(controller)}
                    isThisMachine={controller.name === hardware?.controller}
                    onEdit={() => (edited.value = { kind: 'controller', device: controller })}
                  />
                ))}
              </ul>
            </div>
          </section>
        )}
      </Controllers>
      {edited.value && (
        <DeviceDialog edited={edited.value} taps={snapshot.taps} onClose={() => (edited.value = null)} />
      )}
    </>
  );
}
