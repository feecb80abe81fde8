import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import type { DisplayText } from '../../error-text.ts';
import { barTime, inWords, percent, strength, timeInWords, type Units, volume } from '../../format.ts';
import { lazyComponent } from '../../lazy-page.tsx';
import { mayAct } from '../../me.ts';
import { beerColor } from '../../taps/beer-color.ts';
import { KegDrawing } from '../../taps/keg-drawing.tsx';
import { dataVersion, showToast } from '../../toast.tsx';
import { words } from '../../words/house.ts';
import { say } from '../../words/say.ts';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import type { Beer, Keg } from './cellar.ts';
import { KegActions } from './keg-actions.tsx';

const KegLevel = lazyComponent(() => import('./keg-level.tsx').then((module) => module.KegLevel));

interface KegItem {
  readonly keg: Keg;
  readonly type: Beer | null;
  readonly size: { readonly name: string } | null;
}

/** One keg: what is in it, how it went down, and its drinks. */
export function KegPage({ app, id }: PageProps) {
  const found = useSignal<KegItem | null>(null);
  const refusal = useSignal<DisplayText | null>(null);
  const stamp = `${app.drinks[0]?.id}/${dataVersion.value}`;
  useEffect(() => {
    void requestWithPin<KegItem>('GET', `/kegs/${encodeURIComponent(id)}`).then((answer) => {
      found.value = answer.ok ? answer.result : null;
      refusal.value = answer.ok ? null : answer.status === 404 ? words.noSuchKeg : answer.sentence;
    });
  }, [id, stamp]);
  const item = found.value;
  return (
    <Page title={item?.type?.name ?? say.keg(Number(id))}>
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
      {item && (
        <>
          <div class="card keg-top">
            <div class="keg-card-keg">
              <KegDrawing
                level={item.keg.percent_full}
                color={beerColor(item.type?.color_hex)}
                pouring={false}
              />
            </div>
            <div class="group">
              <Facts item={item} units={app} />
              {mayAct.value && <KegActions keg={item.keg} app={app} onDone={showToast} />}
            </div>
          </div>
          <section class="group">
            <h3>{words.level}</h3>
            <div class={item.keg.served_volume_ml > 0 ? 'chart-to-come' : undefined}>
              <KegLevel keg={item.keg} app={app} stamp={stamp} />
            </div>
          </section>
          <section class="group">
            <h3>{words.drinksOfKeg}</h3>
            <DrinkRows
              path={`/kegs/${item.keg.id}/drinks`}
              app={app}
              label={words.drinksOfKeg}
              empty={say.noDrinks}
            />
          </section>
        </>
      )}
    </Page>
  );
}

function Facts({ item: { keg, type, size }, units }: { readonly item: KegItem; readonly units: Units }) {
  const amount = (ml: number) => inWords(volume(ml, units));
  const when = (iso: string) => timeInWords(barTime(iso, units));
  return (
    <>
      <p class="soft">
        {[type?.producer.name, type?.style_id, type?.abv == null ? null : strength(type.abv)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="keg-left">
        {words.leftOf(amount(Math.max(0, keg.volume_ml_remain)), amount(keg.full_volume_ml))} (
        {percent(keg.percent_full)} %)
      </p>
      <p>
        {[
          words.states[keg.state],
          size?.name,
          `${amount(keg.served_volume_ml)} ${words.poured}`,
          keg.spilled_ml > 0 ? `${amount(keg.spilled_ml)} ${words.spilled}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="soft">
        {words.started} {when(keg.started_time)}
        {keg.finished_time !== null && ` · ${words.finished} ${when(keg.finished_time)}`}
      </p>
    </>
  );
}
