import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Result, request } from '../../api/client.ts';
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
import { newestDrinkId } from '../../app/live.ts';
import { canAct } from '../../app/me.ts';
import { lazyComponent } from '../../app/routing.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { dataVersion } from '../../components/use-resource.ts';
import { findText, t } from '../../locales/locale.ts';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import { KegActions } from './keg-actions.tsx';
import { beerColor, KegDrawing } from './keg-drawing.tsx';

const KegLevel = lazyComponent(() => import('./keg-level.tsx').then((module) => module.KegLevel));

type KegItem = Result<'GET /kegs/{id}'>;

/** One keg: facts, level chart, actions and drinks. */
export function KegPage({ snapshot, id }: PageProps) {
  const reply = useSignal<KegItem | null>(null);
  const error = useSignal<DisplayText | null>(null);
  const reloadKey = `${newestDrinkId(snapshot)}/${dataVersion.value}`;
  useEffect(() => {
    void request('GET /kegs/{id}', { path: { id: Number(id) } }).then((answer) => {
      reply.value = answer.ok ? answer.result : null;
      error.value = answer.ok ? null : answer.status === 404 ? t('kegs.noSuchKeg') : answer.sentence;
    });
  }, [id, reloadKey]);
  const item = reply.value;
  return (
    <Page title={item?.type?.name ?? t('kegs.keg', { id: Number(id) })}>
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
              {canAct.value && <KegActions keg={item.keg} snapshot={snapshot} />}
            </div>
          </div>
          <section class="group">
            <h3>{t('kegs.level')}</h3>
            <div class={item.keg.served_volume_ml > 0 ? 'chart-to-come' : undefined}>
              <KegLevel keg={item.keg} snapshot={snapshot} reloadKey={reloadKey} />
            </div>
          </section>
          <section class="group">
            <h3>{t('kegs.drinksOfKeg')}</h3>
            <DrinkRows
              kegId={item.keg.id}
              snapshot={snapshot}
              label={t('kegs.drinksOfKeg')}
              empty={t('drinks.noDrinks')}
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
        {t('kegs.leftOf', {
          left: formatAmount(Math.max(0, keg.volume_ml_remain)),
          full: formatAmount(keg.full_volume_ml),
        })}{' '}
        ({percent(keg.percent_full)} %)
      </p>
      <p>
        {[
          findText('kegs.states', keg.state),
          size?.name,
          `${formatAmount(keg.served_volume_ml)} ${t('kegs.poured')}`,
          keg.spilled_ml > 0 ? `${formatAmount(keg.spilled_ml)} ${t('kegs.spilled')}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="soft">
        {t('kegs.started')} {formatTime(keg.started_time)}
        {keg.finished_time !== null && ` · ${t('kegs.finished')} ${formatTime(keg.finished_time)}`}
      </p>
    </>
  );
}
