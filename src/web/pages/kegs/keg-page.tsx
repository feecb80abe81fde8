import type { Result } from '../../api/client.ts';
import {
  barTime,
  formatBarTime,
  formatQuantity,
  formatUncertainVolume,
  percent,
  strength,
  type Units,
  volume,
} from '../../app/format.ts';
import { newestDrinkId } from '../../app/live.ts';
import { canAct, isStaff, showsDrinkers } from '../../app/me.ts';
import { lazyComponent, useNavigate } from '../../app/routing.ts';
import { KegDetails } from '../../app/slots.tsx';
import { toId } from '../../app/to-id.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { findText, t } from '../../locales/locale.ts';
import { DrinkRows } from '../drinks/drink-rows.tsx';
import { EditBeerLink } from './beers/edit-beer-link.tsx';
import { KegRecord } from './edit/keg-record.tsx';
import { KegActions } from './keg-actions.tsx';
import { beerColor, KegDrawing } from './keg-drawing.tsx';
import { KegSessions, TopUsers } from './keg-people.tsx';
import '../../styles/shared/details.css';

const KegWeighings = lazyComponent(() => import('./keg-weighings.tsx').then((module) => module.KegWeighings));
const KegLevel = lazyComponent(() => import('./keg-level.tsx').then((module) => module.KegLevel));

type KegItem = Pick<Result<'GET /kegs/{id}'>, 'keg' | 'type' | 'size' | 'remain_uncertainty_ml'>;

/** One keg: facts, level chart, actions and drinks. */
export function KegPage({ snapshot, id }: PageProps) {
  const navigate = useNavigate();
  const kegId = toId(id);
  const input = kegId === null ? null : { path: { id: kegId } };
  const { result: record, error, isMissing } = useResource('GET /kegs/{id}', input);
  const { result: figures } = useResource('GET /kegs/{id}/stats', input, {
    reloadKey: newestDrinkId(snapshot),
  });
  // What drinks change comes with the figures, the beer and the size with the record.
  const item = record && { ...record, ...(figures?.keg.id === record.keg.id && figures) };
  if (kegId === null || isMissing) {
    return (
      <Page title={t('kegs.title')}>
        <EmptyState text={t('kegs.noSuchKeg')} path="/kegs" action={t('kegPage.allKegs')} />
      </Page>
    );
  }
  return (
    <Page title={item?.type?.name ?? t('kegs.keg', { id: kegId })}>
      <ErrorMessage>{error}</ErrorMessage>
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
              <div class="keg-buttons">
                <EditBeerLink beerId={item.type?.id} />
                {canAct.value && <KegActions keg={item.keg} snapshot={snapshot} />}
                <KegRecord keg={item.keg} units={snapshot} onDeleted={() => navigate('/kegs')} />
              </div>
            </div>
          </div>
          <section class="group">
            <h3>{t('kegs.level')}</h3>
            <div class={item.keg.served_volume_ml > 0 ? 'chart-to-come' : undefined}>
              {figures && <KegLevel figures={figures} snapshot={snapshot} />}
            </div>
          </section>
          <div class="two">
            {figures && showsDrinkers.value && <TopUsers figures={figures} snapshot={snapshot} />}
            {figures && <KegSessions figures={figures} snapshot={snapshot} />}
          </div>
          {isStaff.value && <KegWeighings keg={item.keg} snapshot={snapshot} />}
          {isStaff.value && <KegDetails kegId={item.keg.id} />}
          <section class="group">
            <h3>{t('kegs.drinksOfKeg')}</h3>
            <DrinkRows
              kegId={item.keg.id}
              snapshot={snapshot}
              label={t('kegs.drinksOfKeg')}
              empty={t('drinks.noDrinks')}
              emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
            />
          </section>
        </>
      )}
    </Page>
  );
}

function KegFacts({ item, units }: { readonly item: KegItem; readonly units: Units }) {
  const { keg, type, size, remain_uncertainty_ml: uncertaintyMl } = item;
  const formatAmount = (ml: number) => formatQuantity(volume(ml, units));
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  const leftMl = Math.max(0, keg.volume_ml_remain);
  return (
    <>
      <p class="soft">
        {[type?.producer.name, type?.style_id, type?.abv == null ? null : strength(type.abv)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="keg-left">
        {t(keg.state === 'finished' ? 'kegs.notPoured' : 'kegs.leftOf', {
          left: isStaff.value ? formatUncertainVolume(leftMl, uncertaintyMl, units) : formatAmount(leftMl),
          full: formatAmount(keg.full_volume_ml),
        })}{' '}
        ({t('units.percent', { percent: percent(keg.percent_full) })})
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
        {keg.ran_dry !== null && ` · ${t(keg.ran_dry ? 'kegs.ranDry' : 'kegs.changedEarly')}`}
      </p>
    </>
  );
}
