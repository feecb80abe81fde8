import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { newestDrinkId } from '../../app/live.ts';
import { DrinkerLink } from '../../components/drinker-link.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { ShareRows } from '../drinks/share-rows.tsx';
import { SessionList } from '../reports/statistics/session-list.tsx';

/** Drinkers listed. */
const maxDrinkers = 10;
/** Name of drinks without a user in statistics; no account can have it. */
const guestName = 'guest';

interface KegPartProps {
  readonly kegId: number;
  readonly snapshot: SnapshotMessage;
}

/** Who drank most of a keg. */
export function TopDrinkers({ kegId, snapshot }: KegPartProps) {
  const { result } = useResource(
    'GET /kegs/{id}/stats',
    { path: { id: kegId } },
    { reloadKey: newestDrinkId(snapshot) },
  );
  const rows = Object.entries(result?.stats.volume_by_drinker ?? {})
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxDrinkers)
    .map(([name, volumeMl]) => ({
      key: name,
      name: <DrinkerLink username={name === guestName ? null : name} />,
      volumeMl,
    }));
  return (
    <section class="group">
      <h3>{t('kegPage.topDrinkers')}</h3>
      <div class="card">
        {result && rows.length === 0 && <p class="soft">{t('drinks.noDrinks')}</p>}
        <ShareRows label={t('kegPage.topDrinkers')} rows={rows} units={snapshot} />
      </div>
    </section>
  );
}

/** The sessions in which a keg was poured from; the volumes are those of all kegs. */
export function KegSessions({ kegId, snapshot }: KegPartProps) {
  return (
    <section class="group">
      <h3>{t('sessions.title')}</h3>
      <div class="card">
        <SessionList
          operation="GET /kegs/{id}/sessions"
          input={{ path: { id: kegId } }}
          empty={t('kegPage.noSessions')}
          snapshot={snapshot}
        />
      </div>
    </section>
  );
}
