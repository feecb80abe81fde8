import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../../app/format.ts';
import { canAct, isStaff, me, showsDrinkers } from '../../../app/me.ts';
import { lazyComponent, toHref } from '../../../app/routing.ts';
import { toId } from '../../../app/to-id.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { DrinkerLink } from '../../../components/drinker-link.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { drinksVersion } from '../drinks-version.ts';
import { toLiveDrink } from '../to-live-drink.ts';
import { DrinkHistory } from './drink-history.tsx';
import { DrinkPicture, OwnDrink } from './own-drink.tsx';
import { VolumeFacts } from './volume-facts.tsx';
import '../../../styles/shared/details.css';

const DrinkDialog = lazyComponent(() => import('../drink-dialog.tsx').then((module) => module.default));
const FlowChart = lazyComponent(() => import('./flow-chart.tsx').then((module) => module.FlowChart));

type DrinkItem = Result<'GET /drinks/{id}'>;

/** One drink: facts, picture, flow during the pour and corrections. Its drinker adds a shout and a picture. */
export function DrinkPage({ snapshot, id: text }: PageProps) {
  const id = toId(text);
  const reloadKey = drinksVersion(snapshot);
  const { result, error, isMissing } = useResource(
    'GET /drinks/{id}',
    id === null ? null : { path: { id } },
    {
      reloadKey,
    },
  );
  if (id === null || isMissing) {
    return (
      <Page width="form" title={t('drinkPage.title')}>
        <EmptyState text={t('drinkPage.unknown')} path="/drinks" action={t('drinks.everything')} />
      </Page>
    );
  }
  if (result === null) {
    return (
      <Page width="form" title={t('drinkPage.title')}>
        <ErrorMessage>{error}</ErrorMessage>
      </Page>
    );
  }
  const { drink } = result;
  const { beverage_name: beer } = drink;
  const amount = formatQuantity(volume(drink.volume_ml, snapshot));
  return (
    <Page width="form" title={beer === null ? `${amount} · ${t('drinks.noKegOnTap')}` : `${amount} ${beer}`}>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="details">
        <div class="stack">
          <Facts item={result} snapshot={snapshot} />
          <VolumeFacts drink={drink} snapshot={snapshot} />
        </div>
        {result.picture && <DrinkPicture picture={result.picture} />}
      </div>
      {(isStaff.value || (me.value !== null && me.value.username === drink.user_id)) && (
        <OwnDrink drink={drink} hasPicture={result.picture !== null} />
      )}
      <FlowChart item={result} snapshot={snapshot} />
      <DrinkHistory id={id} units={snapshot} reloadKey={reloadKey} />
    </Page>
  );
}

interface FactsProps {
  readonly item: DrinkItem;
  readonly snapshot: SnapshotMessage;
}

function Facts({ item: { drink, keg, session }, snapshot }: FactsProps) {
  const isCorrecting = useSignal(false);
  const live = toLiveDrink(drink, snapshot);
  const when = formatBarTime(barTime(drink.pour_time, snapshot));
  return (
    <div class="card details-text">
      {drink.shout && <blockquote class="shout">{drink.shout}</blockquote>}
      <dl class="detail-facts">
        {showsDrinkers.value && (
          <Fact label={t('common.who')}>
            <DrinkerLink username={drink.user_id} />
          </Fact>
        )}
        <Fact label={t('common.time')}>
          {drink.time_certain ? when : `${t('drinks.about')} ${when} (${t('drinks.clockNotSet')})`}
        </Fact>
        {drink.tap_id !== null && (
          <Fact label={t('common.tap')}>
            <a href={toHref(`/taps/${drink.tap_id}`)}>{live.tap_name || drink.tap_id}</a>
          </Fact>
        )}
        <Fact label={t('drinkPage.keg')}>
          {drink.parts === undefined
            ? kegLink(keg?.id ?? null)
            : drink.parts.map(({ keg_id: kegId, volume_ml: ml }) => (
                <div key={kegId}>
                  {kegLink(kegId)} · {formatQuantity(volume(ml, snapshot))}
                </div>
              ))}
        </Fact>
        {session !== null && (
          <Fact label={t('sessionPage.session')}>
            <a href={toHref(`/sessions/${session.id}`)}>
              {session.name || formatBarTime(barTime(session.start_time, snapshot))}
            </a>
          </Fact>
        )}
      </dl>
      {canAct.value && drink.is_valid && (
        <p>
          <button type="button" class="button" onClick={() => (isCorrecting.value = true)}>
            {t('drinkPage.correct')}
          </button>
        </p>
      )}
      {isCorrecting.value && (
        <DrinkDialog drink={live} snapshot={snapshot} onClose={() => (isCorrecting.value = false)} />
      )}
    </div>
  );
}

const kegLink = (id: number | null) =>
  id === null ? t('kegs.noKeg') : <a href={toHref(`/kegs/${id}`)}>{t('kegs.keg', { id })}</a>;

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
