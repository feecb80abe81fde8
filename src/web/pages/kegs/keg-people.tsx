import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { Result } from '../../api/client.ts';
import { DrinkerLink } from '../../components/drinker-link.tsx';
import { t } from '../../locales/locale.ts';
import { ShareRows } from '../drinks/share-rows.tsx';
import { SessionList } from '../reports/statistics/session-list.tsx';

/** Drinkers listed. */
const maxDrinkers = 10;
/** Name of drinks without a user in statistics; no account can have it. */
const guestName = 'guest';

interface KegPartProps {
  readonly figures: Result<'GET /kegs/{id}/stats'>;
  readonly snapshot: SnapshotMessage;
}

/** Who drank most of a keg. */
export function TopUsers({ figures: { stats }, snapshot }: KegPartProps) {
  const rows = Object.entries(stats.volume_by_drinker ?? {})
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
        {rows.length === 0 && <p class="soft">{t('drinks.noDrinks')}</p>}
        <ShareRows label={t('kegPage.topDrinkers')} rows={rows} units={snapshot} />
      </div>
    </section>
  );
}

/** The sessions in which a keg was poured from; the volumes are those of all kegs. */
export function KegSessions({ figures: { keg, stats, last_session: newest }, snapshot }: KegPartProps) {
  return (
    <section class="group">
      <h3>{t('sessions.title')}</h3>
      <div class="card">
        <SessionList
          operation="GET /kegs/{id}/sessions"
          input={{ path: { id: keg.id } }}
          // What a drink changes in the newest session is in the statistics.
          reloadKey={stats.sessions_count ?? 0}
          newest={newest}
          empty={t('kegPage.noSessions')}
          snapshot={snapshot}
        />
      </div>
    </section>
  );
}
