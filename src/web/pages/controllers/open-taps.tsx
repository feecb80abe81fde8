import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';
import { say } from '../../words/say.ts';

const refreshMs = 3_000;

interface Valve {
  readonly flow_toggle: { readonly id: number; readonly name: string; readonly tap_id: string | null };
  readonly seconds_left: number;
  readonly grant_id: string | null;
  readonly manual: boolean;
}

interface Grant {
  readonly id: string;
  readonly user: string | null;
  readonly controller: string;
  readonly open: boolean;
  readonly taps: readonly string[];
}

/** Taps opened by a grant and valves opened manually; each can be closed. */
export function OpenTaps({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const valves = useResource<{ readonly valves: readonly Valve[] }>('/admin/valves', refreshMs);
  const grants = useResource<{ readonly grants: readonly Grant[] }>('/admin/grants?limit=50', refreshMs);
  const { runAction, error } = useAction();
  const tapName = (tapId: string) => snapshot.taps.find(({ id }) => id === tapId)?.name ?? tapId;
  const openGrants = (grants.result?.grants ?? []).filter((grant) => grant.open);
  const manualValves = (valves.result?.valves ?? []).filter((valve) => valve.grant_id === null);
  return (
    <section class="group" aria-labelledby="open-now">
      <h3 id="open-now">{words.openNow}</h3>
      <div class="card">
        <ErrorMessage>{error ?? grants.error ?? valves.error}</ErrorMessage>
        {openGrants.length + manualValves.length === 0 && <p class="soft">{words.noneOpen}</p>}
        <ul class="rows">
          {openGrants.flatMap((grant) =>
            grant.taps.map((tap) => (
              <li key={`${grant.id} ${tap}`}>
                <p class="row-words">
                  <span class="row-name">{tapName(tap)}</span> · {words.openFor(grant.user ?? say.guest)}
                </p>
                <CloseButton
                  name={tapName(tap)}
                  onClose={() =>
                    runAction({
                      method: 'POST',
                      path: `/admin/taps/${tap}/deauthorize`,
                      successMessage: words.closed,
                    })
                  }
                />
              </li>
            )),
          )}
          {manualValves.map(({ flow_toggle: toggle, seconds_left: seconds }) => (
            <li key={toggle.id}>
              <p class="row-words">
                <span class="row-name">{toggle.tap_id === null ? toggle.name : tapName(toggle.tap_id)}</span>{' '}
                · {words.openedManually} · {words.closesIn(seconds)}
              </p>
              <CloseButton
                name={toggle.name}
                onClose={() =>
                  runAction({
                    method: 'POST',
                    path: `/flow-toggles/${toggle.id}/close`,
                    successMessage: words.closed,
                  })
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
      {words.closeTap(name)}
    </button>
  );
}
