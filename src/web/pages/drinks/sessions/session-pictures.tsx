import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { barTime, formatBarTime } from '../../../app/format.ts';
import { showsDrinkers } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';

interface SessionPicturesProps {
  readonly id: number;
  /** Number of pictures; they are loaded again when it changes. */
  readonly count: number;
  readonly snapshot: SnapshotMessage;
}

/** The pictures of a session's drinks, each with a link to its drink; renders nothing without any. */
export function SessionPictures({ id, count, snapshot }: SessionPicturesProps) {
  const input = { path: { id }, query: { limit: 100 } };
  const { result } = useResource('GET /sessions/{id}/pictures', input, {
    reloadKey: count,
  });
  if (!result || result.pictures.length === 0) return null;
  return (
    <section class="group">
      <h3>{t('sessionPage.pictures')}</h3>
      <ul class="card pictures">
        {result.pictures.map(({ drink_id: drinkId, user_id: user, pour_time: time, picture }) => {
          const caption = [showsDrinkers.value && user, formatBarTime(barTime(time, snapshot))]
            .filter(Boolean)
            .join(' · ');
          return (
            <li key={drinkId}>
              <a href={toHref(`/drinks/${drinkId}`)}>
                <img
                  src={toHref(picture.resized_url)}
                  alt={picture.caption || t('drinkPage.picture')}
                  loading="lazy"
                />
                <span class="soft">{caption}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
