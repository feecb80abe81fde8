import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../app/error-text.ts';
import {
  barTime,
  formatBarTime,
  formatQuantity,
  percent,
  strength,
  type Units,
  volume,
} from '../../app/format.ts';
import { lazyComponent } from '../../app/lazy-page.tsx';
import { canAct } from '../../app/me.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { words } from '../../words/pages.ts';
import { say } from '../../words/say.ts';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import { beerColor } from './beer-color.ts';
import { KegActions } from './keg-actions.tsx';
import type { Beverage, Keg } from './keg-data.ts';
import { KegDrawing } from './keg-drawing.tsx';

const KegLevel = lazyComponent(() => import('./keg-level.tsx').then((module) => module.KegLevel));

interface KegItem {
  readonly keg: Keg;
  readonly type: Beverage | null;
  readonly size: { readonly name: string } | null;
}

/** One keg: facts, level chart, actions and drinks. */
export function KegPage({ snapshot, id }: PageProps) {
  const reply = useSignal<KegItem | null>(null);
  const error = useSignal<DisplayText | null>(null);
  const reloadKey = `${snapshot.drinks[0]?.id}/${dataVersion.value}`;
  useEffect(() => {
    void requestWithPin<KegItem>('GET', `/kegs/${encodeURIComponent(id)}`).then((answer) => {
      reply.value = answer.ok ? answer.result : null;
      error.value = answer.ok ? null : answer.status === 404 ? words.noSuchKeg : answer.sentence;
    });
  }, [id, reloadKey]);
  const item = reply.value;
  return (
    <Page title={item?.type?.name ?? say.keg(Number(id))}>
      <p class="refusal" role="alert">
        {error.value}
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
              <KegFacts item={item} units={snapshot} />
              {canAct.value && <KegActions keg={item.keg} snapshot={snapshot} onDone={showToast} />}
            </div>
          </div>
          <section class="group">
            <h3>{words.level}</h3>
            <div class={item.keg.served_volume_ml > 0 ? 'chart-to-come' : undefined}>
              <KegLevel keg={item.keg} snapshot={snapshot} reloadKey={reloadKey} />
            </div>
          </section>
          <section class="group">
            <h3>{words.drinksOfKeg}</h3>
            <DrinkRows
              path={`/kegs/${item.keg.id}/drinks`}
              snapshot={snapshot}
              label={words.drinksOfKeg}
              empty={say.noDrinks}
            />
          </section>
        </>
      )}
    </Page>
  );
}

function KegFacts({ item: { keg, type, size }, units }: { readonly item: KegItem; readonly units: Units }) {
  const formatAmount = (ml: number) => formatQuantity(volume(ml, units));
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  return (
    <>
      <p class="soft">
        {[type?.producer.name, type?.style_id, type?.abv == null ? null : strength(type.abv)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="keg-left">
        {words.leftOf(formatAmount(Math.max(0, keg.volume_ml_remain)), formatAmount(keg.full_volume_ml))} (
        {percent(keg.percent_full)} %)
      </p>
      <p>
        {[
          words.states[keg.state],
          size?.name,
          `${formatAmount(keg.served_volume_ml)} ${words.poured}`,
          keg.spilled_ml > 0 ? `${formatAmount(keg.spilled_ml)} ${words.spilled}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="soft">
        {words.started} {formatTime(keg.started_time)}
        {keg.finished_time !== null && ` · ${words.finished} ${formatTime(keg.finished_time)}`}
      </p>
    </>
  );
}
