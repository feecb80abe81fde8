import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

const refreshMs = 3_000;

/** Taps opened by a grant and valves opened manually; each can be closed. */
export function OpenTaps({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const valves = useResource('GET /admin/valves', {}, { intervalMs: refreshMs });
  const grants = useResource('GET /admin/grants', { query: { limit: 50 } }, { intervalMs: refreshMs });
  const { runAction, error } = useAction();
  const tapName = (tapId: string) => snapshot.taps.find(({ id }) => id === tapId)?.name ?? tapId;
  const openGrants = (grants.result?.grants ?? []).filter((grant) => grant.open);
  const manualValves = (valves.result?.valves ?? []).filter((valve) => valve.grant_id === null);
  return (
    <section class="group" aria-labelledby="open-now">
      <h3 id="open-now">{t('controllers.openNow')}</h3>
      <div class="card">
        <ErrorMessage>{error ?? grants.error ?? valves.error}</ErrorMessage>
        {openGrants.length + manualValves.length === 0 && <p class="soft">{t('controllers.noneOpen')}</p>}
        <ul class="rows">
          {openGrants.flatMap((grant) =>
            grant.taps.map((tap) => (
              <li key={`${grant.id} ${tap}`}>
                <p class="row-text">
                  <span class="row-name">{tapName(tap)}</span> ·{' '}
                  {t('controllers.openFor', { who: grant.user ?? t('drinks.guest') })}
                </p>
                <CloseButton
                  name={tapName(tap)}
                  onClose={() =>
                    runAction(
                      () => request('POST /admin/taps/{id}/deauthorize', { path: { id: tap } }),
                      ({ board }) =>
                        // A network kegboard closes it when it next reports.
                        showToast(
                          board === null
                            ? t('controllers.closed')
                            : t('valve.closesSoon', { tap: tapName(tap) }),
                        ),
                    )
                  }
                />
              </li>
            )),
          )}
          {manualValves.map(({ flow_toggle: toggle, seconds_left: seconds }) => (
            <li key={toggle.id}>
              <p class="row-text">
                <span class="row-name">{toggle.tap_id === null ? toggle.name : tapName(toggle.tap_id)}</span>{' '}
                · {t('controllers.openedManually')} · {t('controllers.closesIn', { seconds })}
              </p>
              <CloseButton
                name={toggle.name}
                onClose={() =>
                  runAction(
                    () => request('POST /flow-toggles/{id}/close', { path: { id: toggle.id } }),
                    t('controllers.closed'),
                  )
                }
              />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function CloseButton({ name, onClose }: { readonly name: string; onClose(): void }) {
  return (
    <button type="button" class="chip" onClick={onClose}>
      {t('controllers.closeTap', { tap: name })}
    </button>
  );
}
