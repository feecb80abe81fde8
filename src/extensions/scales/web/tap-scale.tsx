import { request } from '../../../web/api/client.ts';
import {
  barTime,
  formatBarTime,
  formatDecimal,
  formatUncertainVolume,
  type Units,
} from '../../../web/app/format.ts';
import type { TapSlotProps } from '../../../web/app/page-slots.ts';
import { lazyComponent } from '../../../web/app/routing.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { RowButton } from '../../../web/components/row-button.tsx';
import { showToast } from '../../../web/components/toast.tsx';
import { undo } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';
import { findingText, type Scale } from './finding-text.ts';
import '../../../web/styles/shared/details.css';

const WeightChart = lazyComponent(() => import('./weight-chart.tsx').then((module) => module.WeightChart));

/** Weights come every second; the page follows slowly. */
const refreshMs = 10_000;

/** The scale below the keg of a tap: its weight, what is left by scale and by meter, and what was found. */
export function TapScale({ tap, units }: TapSlotProps) {
  const { result } = useResource('GET /scales', { query: { limit: 1000 } }, { intervalMs: refreshMs });
  const scale = result?.scales.find(({ tap_id: tapId }) => tapId === tap.id);
  if (scale === undefined) return null;
  return (
    <section class="group" aria-labelledby="tap-scale">
      <h3 id="tap-scale">{t('scales.title')}</h3>
      <dl class="detail-facts">
        <Fact name={t('scales.weight')} value={weightText(scale, units)} />
        {scale.by_meter !== null && (
          <>
            <Fact
              name={t('scales.leftByScale')}
              value={scale.by_scale === null ? t('scales.unknownLeft') : leftText(scale.by_scale, units)}
            />
            <Fact name={t('scales.leftByMeter')} value={leftText(scale.by_meter, units)} />
          </>
        )}
      </dl>
      {scale.topic_refused && <p>{t('scales.topicRefused', { topic: scale.topic })}</p>}
      {scale.broken_messages !== null && (
        <p class="soft">
          {t('scales.broken', {
            count: scale.broken_messages.count,
            fault: findText('scales.faults', scale.broken_messages.fault) ?? scale.broken_messages.fault,
          })}
        </p>
      )}
      <ScaleFindings scale={scale} units={units} />
      <WeightChart scaleId={scale.id} units={units} label={t('scales.chartOf', { tap: tap.name })} />
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ScaleFindings({ scale, units }: { readonly scale: Scale; readonly units: Units }) {
  const action = useAction();
  if (scale.findings.length === 0) return null;
  const send = (id: number, closed: boolean) =>
    request('POST /scale-findings/{id}/close', { path: { id }, body: { closed } });
  return (
    <ActionGroup action={action} class="choices">
      <ul class="rows">
        {scale.findings.map((finding) => (
          <li key={finding.id}>
            <p>{findingText(finding, units)}</p>
            <p class="soft">
              {t('scales.findingSince', { time: formatBarTime(barTime(finding.started_time, units)) })}
            </p>
            <RowButton
              label={t('scales.close')}
              what={findingText(finding, units)}
              onClick={() =>
                void action.runAction(
                  () => send(finding.id, true),
                  () => showToast(t('scales.closed'), () => void undo(() => send(finding.id, false))),
                )
              }
            />
          </li>
        ))}
      </ul>
    </ActionGroup>
  );
}

function weightText({ last }: Scale, units: Units): string {
  if (last === null) return t('scales.noWeight');
  const weight = formatDecimal(last.weight_g / 1_000, 2);
  return t('scales.weightAt', { weight, time: formatBarTime(barTime(last.time, units)) });
}

const leftText = (left: NonNullable<Scale['by_meter']>, units: Units): string =>
  formatUncertainVolume(Math.max(0, left.remain_ml), left.uncertainty_ml, units);
