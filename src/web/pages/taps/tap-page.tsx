import { useSignal } from '@preact/signals';
import { canAct, isStaff } from '../../app/me.ts';
import { lazyComponent, toHref } from '../../app/routing.ts';
import { TapDetails, tapLinks } from '../../app/slots.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import { ConnectedKegs } from '../kegs/on-tap/connected-kegs.tsx';
import { NextBeerPicker } from '../kegs/on-tap/next-beer-picker.tsx';
import { EditTapLink } from './edit-tap-link.tsx';
import { TapLosses } from './tap-losses.tsx';
import { TapStateText } from './tap-state-text.tsx';

const TemperatureChart = lazyComponent(() =>
  import('../reports/statistics/temperature-chart.tsx').then((module) => module.TemperatureChart),
);

const TapFlow = lazyComponent(() => import('./tap-flow.tsx').then((module) => module.TapFlow));

/** Time spans of the chart, days. */
const chartDays = [1, 7, 30] as const;

/** One tap: temperature chart, next keg and drinks. */
export function TapPage({ snapshot, live, id }: PageProps) {
  const selectedDays = useSignal<(typeof chartDays)[number]>(1);
  const { result, error } = useResource('GET /taps/{ref}', { path: { ref: id } });
  const tap = result?.tap;
  const liveTap = snapshot.taps.find((one) => one.id === tap?.id);
  return (
    <Page title={tap?.name ?? t('common.tap')}>
      <p class="refusal" role="alert">
        {error !== null && !tap ? t('taps.noSuchTap') : null}
      </p>
      {tap && (
        <>
          {liveTap && <TapStateText tap={liveTap} pour={live.currentPour(liveTap.id)} />}
          <section class="group">
            <h3>{t('common.temperature')}</h3>
            {tap.thermo_sensor_id === null ? (
              <p class="soft">{t('temperatures.noThermometer')}</p>
            ) : (
              <>
                <div class="choice">
                  {chartDays.map((days) => (
                    <Choice
                      key={days}
                      isChosen={selectedDays.value === days}
                      onChoose={() => (selectedDays.value = days)}
                    >
                      {t(`temperatures.spans.${days}`)}
                    </Choice>
                  ))}
                </div>
                <TemperatureChart
                  sensor={tap.thermo_sensor_id}
                  days={selectedDays.value}
                  snapshot={snapshot}
                  label={t('temperatures.temperatureOf', { tap: tap.name })}
                />
              </>
            )}
          </section>
          <div class="row-actions">
            <EditTapLink tapId={tap.id} />
            {liveTap &&
              canAct.value &&
              tapLinks(liveTap).map(({ path, text }) => (
                <p key={path}>
                  <a class="chip" href={toHref(path)}>
                    {text}
                  </a>
                </p>
              ))}
            {liveTap && liveTap.meter_name !== null && isStaff.value && (
              <p>
                <a class="chip" href={toHref(`/taps/${tap.id}/calibrate`)}>
                  {t('taps.calibrateTap')}
                </a>
              </p>
            )}
          </div>
          {liveTap && canAct.value && <ConnectedKegs tap={liveTap} units={snapshot} />}
          {liveTap && canAct.value && (
            <div class="card">
              <NextBeerPicker tap={liveTap} units={snapshot} />
            </div>
          )}
          {isStaff.value && <TapDetails tap={tap} units={snapshot} />}
          {isStaff.value && liveTap && liveTap.meter_name !== null && (
            <TapFlow tapId={tap.id} name={tap.name} units={snapshot} />
          )}
          {isStaff.value && <TapLosses tapId={tap.id} units={snapshot} />}
          <section class="group">
            <h3>{t('taps.drinksAt', { tap: tap.name })}</h3>
            <DrinkRows
              query={{ tap: tap.id }}
              snapshot={snapshot}
              label={t('taps.drinksAt', { tap: tap.name })}
              empty={t('drinks.noDrinks')}
              emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
            />
          </section>
        </>
      )}
    </Page>
  );
}
