import { useSignal } from '@preact/signals';
import { toHref } from '../../app/current-path.ts';
import { lazyComponent } from '../../app/lazy-page.tsx';
import { canAct, isStaff } from '../../app/me.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';
import { Choice } from '../drinks/drink-dialog.tsx';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import { NextBeerPicker } from '../kegs/next-beer-picker.tsx';

const TemperatureChart = lazyComponent(() =>
  import('../reports/statistics/temperature-chart.tsx').then((module) => module.TemperatureChart),
);

/** Time spans of the chart, days. */
const chartDays = [1, 7, 30] as const;

/** One tap: temperature chart, next keg and drinks. */
export function TapPage({ snapshot, id }: PageProps) {
  const selectedDays = useSignal<(typeof chartDays)[number]>(1);
  const { result, error } = useResource<{
    readonly tap: { readonly id: string; readonly name: string; readonly thermo_sensor_id: string | null };
  }>(`/taps/${encodeURIComponent(id)}`);
  const tap = result?.tap;
  const liveTap = snapshot.taps.find((one) => one.id === tap?.id);
  return (
    <Page title={tap?.name ?? words.tap}>
      <p class="refusal" role="alert">
        {error !== null && !tap ? words.noSuchTap : null}
      </p>
      {tap && (
        <>
          <section class="group">
            <h3>{words.temperature}</h3>
            {tap.thermo_sensor_id === null ? (
              <p class="soft">{words.noThermometer}</p>
            ) : (
              <>
                <div class="choice">
                  {chartDays.map((days) => (
                    <Choice
                      key={days}
                      isChosen={selectedDays.value === days}
                      onChoose={() => (selectedDays.value = days)}
                    >
                      {words.spans[days]}
                    </Choice>
                  ))}
                </div>
                <TemperatureChart
                  sensor={tap.thermo_sensor_id}
                  days={selectedDays.value}
                  snapshot={snapshot}
                  label={words.temperatureOf(tap.name)}
                />
              </>
            )}
          </section>
          {liveTap && liveTap.meter_name !== null && isStaff.value && (
            <p>
              <a href={toHref(`/taps/${tap.id}/calibrate`)}>{words.calibrateTap}</a>
            </p>
          )}
          {liveTap && canAct.value && (
            <div class="card">
              <NextBeerPicker tap={liveTap} units={snapshot} />
            </div>
          )}
          <section class="group">
            <h3>{words.drinksAt(tap.name)}</h3>
            <DrinkRows
              path={`/drinks?tap=${tap.id}`}
              snapshot={snapshot}
              label={words.drinksAt(tap.name)}
              empty={words.noDrinks}
            />
          </section>
        </>
      )}
    </Page>
  );
}
