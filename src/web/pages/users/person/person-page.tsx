import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { saveFile } from '../../../api/client.ts';
import type { User } from '../../../api/generated.ts';
import { formatBarDay } from '../../../app/format.ts';
import { isSuperuser, me } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { drinkerPath } from '../../../components/drinker-link.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { CardRow } from '../../access/card-row.tsx';
import { NewCard } from '../../access/new-card.tsx';
import { ErasePerson } from './erase-person.tsx';
import { PersonAliases } from './person-aliases.tsx';
import { PersonEmail } from './person-email.tsx';
import { PersonKeys } from './person-keys.tsx';
import { PersonLogIn } from './person-log-in.tsx';
import { PersonLogins } from './person-logins.tsx';
import { PersonName } from './person-name.tsx';
import { PersonRole } from './person-role.tsx';
import { roleOf } from './roles.ts';

/** One person, for staff: names, role, e-mail, log-in, cards, and the person's data. */
export function PersonPage({ snapshot, id: name }: PageProps) {
  const { result, error, isMissing } = useResource(
    'GET /users/{username}',
    name.length <= 128 ? { path: { username: name } } : null,
  );
  const user = result?.user;
  return (
    <Page title={user?.display_name || name} requiredRole="staff">
      {isMissing || name.length > 128 ? (
        <EmptyState text={t('person.unknown', { name })} path="/users" action={t('person.showAll')} />
      ) : (
        <ErrorMessage>{error}</ErrorMessage>
      )}
      {user && !isMissing && <PersonContent key={user.username} user={user} snapshot={snapshot} />}
    </Page>
  );
}

interface ContentProps {
  readonly user: User;
  readonly snapshot: SnapshotMessage;
}

function PersonContent({ user, snapshot }: ContentProps) {
  const { username } = user;
  const { result: state } = useResource('GET /users/{username}/state', { path: { username } });
  const mayChange = isSuperuser.value || !user.is_superuser;
  const isOwn = me.value?.username === username;
  const mayChangeAccess = isSuperuser.value || isOwn || roleOf(user) === 'member';
  const exporting = useAction();
  const saveData = () => {
    const href = toHref(`/api/users/${encodeURIComponent(username)}/export`);
    void exporting.runAction(
      () => saveFile(href, `tapster-${username}.json`),
      () => {},
    );
  };
  return (
    <>
      <p class="soft">
        {[
          username,
          t(`users.roles.${roleOf(user)}`),
          !user.is_active && t('users.switchedOff'),
          t('users.joined', { day: formatBarDay(user.joined_time, snapshot) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p class="row-actions">
        <a class="chip" href={toHref(drinkerPath(username))}>
          {t('person.drinkerPage')}
        </a>
        <a class="chip" href={toHref(`/drinks?user=${encodeURIComponent(username)}`)}>
          {t('users.drinksOf', { who: username })}
        </a>
        {isOwn && (
          <a class="chip" href={toHref('/account')}>
            {t('account.title')}
          </a>
        )}
      </p>
      {!mayChange && <p class="card">{t('person.superusersOnly')}</p>}
      {mayChange && state && (
        <div class="two">
          <div class="stack">
            <PersonName user={user} />
            <PersonAliases username={username} aliases={state.aliases} />
            {mayChangeAccess && <PersonEmail username={username} state={state} />}
          </div>
          <div class="stack">
            {mayChangeAccess ? (
              <>
                <PersonRole user={user} />
                <PersonLogIn user={user} state={state} units={snapshot} />
                <PersonLogins username={username} units={snapshot} />
              </>
            ) : (
              <p class="card">{t('person.staffSuperusersOnly')}</p>
            )}
            {isSuperuser.value && <PersonKeys username={username} units={snapshot} />}
          </div>
        </div>
      )}
      <section class="group" aria-labelledby="person-cards">
        <h3 id="person-cards">{t('person.cards')}</h3>
        <div class="card group">
          <PagedList
            operation="GET /auth-tokens"
            input={{ query: { user: username } }}
            itemsKey="tokens"
            label={t('person.cards')}
            empty={t('person.noCards')}
            renderItem={(card) => <CardRow key={card.id} card={card} units={snapshot} showsOwner={false} />}
          />
          <NewCard username={username} />
        </div>
      </section>
      {isSuperuser.value ? (
        <section class="group" aria-labelledby="person-data">
          <h3 id="person-data">{t('person.data')}</h3>
          <div class="card group">
            <p>
              <button type="button" class="chip" aria-disabled={exporting.isBusy} onClick={saveData}>
                {t('person.export')}
              </button>
            </p>
            <ErrorMessage>{exporting.error}</ErrorMessage>
            {isOwn ? <p class="soft">{t('person.eraseOwn')}</p> : <ErasePerson username={username} />}
          </div>
        </section>
      ) : (
        <p class="soft">{t('person.dataSuperusersOnly')}</p>
      )}
    </>
  );
}
