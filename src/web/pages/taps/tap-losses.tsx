import { useSignal } from '@preact/signals';
import { type Result, request } from '../../api/client.ts';
import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showUndoable } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { locale, t } from '../../locales/locale.ts';

/** Of a date without a time. */
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Days that are listed at first. */
const shownDays = 7;

/** Back-flow of a day that is listed, millilitres: less is what every line does when a tap is shut. */
const minBackFlowMl = 20;

type LossDay = Result<'GET /taps/{ref}/losses'>['days'][number];

/**
 * What dripped from a tap on its last days, and what moved to and fro in its line; staff count it as spilled beer. Nothing for a tap
 * without any.
 */
export function TapLosses({ tapId, units }: { readonly tapId: string; readonly units: Units }) {
  const { result } = useResource('GET /taps/{ref}/losses', { path: { ref: tapId } });
  const { runAction, error, isBusy } = useAction();
  const showsAll = useSignal(false);
  const days = result?.days.map((day) => listLosses(day, units)).filter((losses) => losses.length > 0) ?? [];
  if (days.length === 0) return null;
  const spill = (date: string, loss: LossKind) =>
    runAction(
      () => request('POST /taps/{ref}/losses/{date}/spill', { path: { ref: tapId, date }, body: { loss } }),
      (spilled) => showUndoable(t('drinks.spilledDone'), spilled),
    );
  return (
    <section class="group">
      <h3 id="tap-losses">{t('taps.losses')}</h3>
      <div class="card">
        <ErrorMessage>{error}</ErrorMessage>
        <ul class="rows" aria-labelledby="tap-losses">
          {(showsAll.value ? days : days.slice(0, shownDays)).flat().map(({ date, loss, text }) => (
            <li key={`${date} ${loss}`}>
              <p class="row-text">{text}</p>
              <button
                type="button"
                class="chip"
                aria-disabled={isBusy}
                aria-label={`${t('taps.countAsSpilled')}: ${text}`}
                onClick={() => void spill(date, loss)}
              >
                {t('taps.countAsSpilled')}
              </button>
            </li>
          ))}
        </ul>
        {days.length > shownDays && !showsAll.value && (
          <button type="button" class="chip" onClick={() => (showsAll.value = true)}>
            {t('common.more')}
          </button>
        )}
      </div>
    </section>
  );
}

type LossKind = 'drips' | 'back_flow';

/** The losses of a day that are worth a line. */
function listLosses(
  { date, drips, drip_ticks: dripTicks, drip_ml: dripMl, back_flow_ml: backFlowMl }: LossDay,
  units: Units,
) {
  const day = dayFormat.format(Date.parse(date));
  const amount = (ml: number) => formatQuantity(volume(ml, units));
  const dripped = t('taps.dripsOfDay', { date: day, drips, volume: amount(dripMl) });
  const flowedBack = t('taps.backFlowOfDay', { date: day, volume: amount(backFlowMl) });
  const losses: { readonly date: string; readonly loss: LossKind; readonly text: string }[] = [];
  if (dripTicks > 0) losses.push({ date, loss: 'drips', text: dripped });
  if (backFlowMl > minBackFlowMl) losses.push({ date, loss: 'back_flow', text: flowedBack });
  return losses;
}
