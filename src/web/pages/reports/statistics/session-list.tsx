import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { OperationInput } from '../../../api/build-request.ts';
import type { Session } from '../../../api/generated.ts';
import { formatQuantity, volume } from '../../../app/format.ts';
import { newestDrinkId } from '../../../app/live.ts';
import type { EmptyPictureName } from '../../../components/empty-picture.tsx';
import type { EmptyAction } from '../../../components/empty-state.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { t } from '../../../locales/locale.ts';
import { SessionRow } from './session-row.tsx';

type SessionOperation = 'GET /sessions' | 'GET /kegs/{id}/sessions';

interface SessionListProps<O extends SessionOperation> {
  readonly operation: O;
  readonly input: OperationInput<O>;
  /** Text of an empty list. */
  readonly empty: string;
  /** A large picture and a link for the list that is all of its page. */
  readonly emptyPicture?: EmptyPictureName;
  readonly emptyAction?: EmptyAction | undefined;
  readonly snapshot: SnapshotMessage;
  /** The list is loaded again when this changes; after each drink unless given. */
  readonly reloadKey?: string | number;
  /** The newest session as it is now, where the list is not loaded again for each drink. */
  readonly newest?: Session | null;
}

/** A paged list of sessions with the volume of each, of all kegs. */
export function SessionList<O extends SessionOperation>(props: SessionListProps<O>) {
  const { operation, input, snapshot, empty, emptyPicture, emptyAction } = props;
  return (
    <PagedList<SessionOperation>
      operation={operation}
      input={input}
      itemsKey="sessions"
      label={t('sessions.title')}
      empty={empty}
      {...(emptyPicture !== undefined && { emptyPicture })}
      emptyAction={emptyAction}
      reloadKey={props.reloadKey ?? newestDrinkId(snapshot)}
      renderItem={(listed) => {
        const session = props.newest?.id === listed.id ? props.newest : listed;
        return (
          <SessionRow
            key={session.id}
            session={session}
            units={snapshot}
            figure={formatQuantity(volume(session.volume_ml, snapshot))}
          />
        );
      }}
    />
  );
}
