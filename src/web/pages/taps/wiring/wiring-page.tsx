import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Wiring } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, temperature } from '../../../app/format.ts';
import { formatProblems } from '../../../app/problem-text.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import type { PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { HardwarePage } from '../../controllers/hardware-page.tsx';
import { Findings } from './findings.tsx';
import { MeterCard } from './meter-card.tsx';
import { PourTest } from './pour-test.tsx';
import '../../../styles/taps/wiring.css';

/** Short, so that a moved wire shows its effect at once. */
const refreshMs = 500;

/** Live wiring check: state of each part, the tap it belongs to, findings and advice. */
export function WiringPage({ snapshot }: PageProps) {
  return (
    <HardwarePage width="wide" title={t('wiring.title')}>
      <WiringStatus snapshot={snapshot} />
    </HardwarePage>
  );
}

function WiringStatus({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource('GET /admin/wiring', {}, { intervalMs: refreshMs });
  const wiring = result?.wiring;
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {wiring && (
        <>
          <div>
            <p>{t('wiring.intro')}</p>
            {wiring.driver !== 'simulated' && <p class="soft">{formatProblems(wiring.description)}</p>}
            <Findings findings={wiring.findings} />
          </div>
          {wiring.meters.length > 0 && <PourTest meters={wiring.meters} snapshot={snapshot} />}
          <Meters wiring={wiring} snapshot={snapshot} />
          <div class="two">
            <ThermoSensors wiring={wiring} snapshot={snapshot} />
            <Parts title={t('wiring.boards')} parts={wiring.boards} snapshot={snapshot} />
            <Parts title={t('wiring.readers')} parts={wiring.readers} snapshot={snapshot} />
            <Parts title={t('wiring.relays')} parts={wiring.relays} snapshot={snapshot} />
          </div>
        </>
      )}
    </>
  );
}

function Meters({ wiring, snapshot }: { readonly wiring: Wiring; readonly snapshot: SnapshotMessage }) {
  if (wiring.meters.length === 0) return null;
  return (
    <section class="group" aria-labelledby="wired-meters">
      <h3 id="wired-meters">{t('wiring.meters')}</h3>
      <ul class="wires-live">
        {wiring.meters.map((meter) => (
          <MeterCard
            key={meter.name}
            meter={meter}
            snapshot={snapshot}
            isSimulated={wiring.driver === 'simulated' && meter.pin !== null}
            sample={wiring}
          />
        ))}
      </ul>
      <p class="soft">{t('wiring.sinceStart')}</p>
    </section>
  );
}

function ThermoSensors({
  wiring,
  snapshot,
}: {
  readonly wiring: Wiring;
  readonly snapshot: SnapshotMessage;
}) {
  const tapName = (id: string | null) => snapshot.taps.find((tap) => tap.id === id)?.name;
  return (
    <Group title={t('wiring.thermoSensors')}>
      {wiring.probes.length === 0 && <p class="soft">{t('wiring.noThermoSensors')}</p>}
      <ul class="rows" aria-label={t('wiring.thermoSensors')}>
        {wiring.probes.map((probe) => (
          <li key={probe.name}>
            <div class="row-text">
              <p class="row-name">{tapName(probe.tap_id) ?? probe.name}</p>
              {tapName(probe.tap_id) !== undefined && <p class="soft">{probe.name}</p>}
              <Findings findings={probe.findings} />
            </div>
            {probe.temp_c !== null && (
              <p class="row-figure">{formatQuantity(temperature(probe.temp_c, snapshot))}</p>
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}

interface PartsProps {
  readonly title: string;
  readonly parts: readonly (Wiring['relays'][number] &
    Partial<Pick<Wiring['readers'][number], 'shown' | 'unreadable'>>)[];
  readonly snapshot: SnapshotMessage;
}

function Parts({ title, parts, snapshot }: PartsProps) {
  if (parts.length === 0) return null;
  return (
    <Group title={title}>
      <ul class="rows" aria-label={title}>
        {parts.map((part) => (
          <li key={part.name}>
            <div class="row-text">
              <p class="row-name">{part.name}</p>
              <Findings findings={part.findings} />
              {part.shown !== undefined && <p class="soft">{t('wiring.shown', { times: part.shown })}</p>}
              {part.unreadable?.last_time != null && (
                <p class="soft">
                  {t('wiring.unreadable', {
                    times: part.unreadable.count,
                    time: formatBarTime(barTime(part.unreadable.last_time, snapshot)),
                    text: part.unreadable.last_text ?? '',
                  })}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="group" aria-label={title}>
      <h3>{title}</h3>
      <div class="card">{children}</div>
    </section>
  );
}
