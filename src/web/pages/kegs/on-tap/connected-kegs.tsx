import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { type Answer, request } from '../../../api/client.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { ActionGroup, useAction } from '../../../components/action.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { showUndoable, type Undoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';

interface ConnectedKegsProps {
  readonly tap: LiveTap;
  readonly units: Units;
}

/** The kegs on a tap in the order in which they empty, the other taps of its keg, and what else can be connected. */
export function ConnectedKegs({ tap, units }: ConnectedKegsProps) {
  const action = useAction();
  const isAdding = useSignal(false);
  const { keg, kegs_behind: behind, other_taps: others } = tap;
  if (keg === null) return null;

  async function run(send: () => Promise<Answer<Undoable>>, done: string) {
    const answer = await action.runAction(send, (changed) => showUndoable(done, changed));
    if (answer?.ok) isAdding.value = false;
  }
  const connect = (kegId: number) =>
    void run(
      () => request('POST /taps/{ref}/kegs', { path: { ref: tap.id }, body: { keg_id: kegId } }),
      t('kegs.connected'),
    );
  const disconnect = (kegId: number) =>
    void run(
      () => request('DELETE /taps/{ref}/kegs/{keg_id}', { path: { ref: tap.id, keg_id: kegId } }),
      t('kegs.disconnected'),
    );

  const rows = [{ id: keg.id, volume_ml_remain: keg.volume_ml_remain }, ...behind];
  return (
    <section class="group" aria-labelledby="connected-kegs">
      <h3 id="connected-kegs">{t('kegs.onThisTap')}</h3>
      <ActionGroup action={action} class="group">
        <ol class="rows">
          {rows.map(({ id, volume_ml_remain: leftMl }, place) => (
            <li key={id}>
              <div class="row-text">
                <p>
                  <a class="row-name" href={toHref(`/kegs/${id}`)}>
                    {t('kegs.keg', { id })}
                  </a>{' '}
                  · {formatQuantity(volume(Math.max(0, leftMl), units))}
                </p>
                {place === 0 && others.length > 0 && (
                  <p class="soft">{t('kegs.alsoOn', { taps: others.map(({ name }) => name).join(', ') })}</p>
                )}
              </div>
              {(place > 0 || others.length > 0) && (
                <div class="row-actions">
                  <Choice onChoose={() => disconnect(id)}>
                    {t('kegs.disconnect')}
                    <span class="visually-hidden"> {t('kegs.keg', { id })}</span>
                  </Choice>
                </div>
              )}
            </li>
          ))}
        </ol>
        {isAdding.value ? (
          <FurtherKegs beerId={tap.beverage?.id ?? null} units={units} onChoose={connect} />
        ) : (
          <p>
            <Choice onChoose={() => (isAdding.value = true)}>{t('kegs.connectBehind')}</Choice>
          </p>
        )}
      </ActionGroup>
    </section>
  );
}

interface FurtherKegsProps extends Pick<ConnectedKegsProps, 'units'> {
  readonly beerId: string | null;
  onChoose(kegId: number): void;
}

/** The kegs in stock with the same beer. */
function FurtherKegs({ beerId, units, onChoose }: FurtherKegsProps) {
  const { result } = useResource('GET /kegs', { query: { state: 'available', limit: 1000 } });
  if (!result) return null;
  const kegs = result.kegs.filter(({ type_id: id }) => id === beerId);
  return (
    <fieldset class="choice">
      <legend>{t('kegs.connectBehind')}</legend>
      <p class="choice-why">{kegs.length === 0 ? t('kegs.connectNone') : t('kegs.connectHint')}</p>
      {kegs.map((keg) => (
        <Choice key={keg.id} onChoose={() => onChoose(keg.id)}>
          {t('kegs.keg', { id: keg.id })} · {formatQuantity(volume(keg.volume_ml_remain, units))}
        </Choice>
      ))}
    </fieldset>
  );
}

interface SharedKegsProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  onChoose(kegId: number): void;
}

/** For an empty tap: the kegs of other taps, which can feed this one too. */
export function SharedKegs({ tap, snapshot, onChoose }: SharedKegsProps) {
  const kegs = new Map(
    snapshot.taps.flatMap((one) => (one.keg === null || one.id === tap.id ? [] : [[one.keg.id, one]])),
  );
  return [...kegs].map(([kegId, { name, beverage }]) => (
    <Choice key={kegId} onChoose={() => onChoose(kegId)}>
      {t('kegs.shareKeg', { tap: name, beer: beverage?.name ?? t('kegs.keg', { id: kegId }) })}
    </Choice>
  ));
}
