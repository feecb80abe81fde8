import Type, { type Static } from 'typebox';
import { kegSizes } from '../../../core/kegs/keg-volume.ts';
import { beverageFields } from '../../../core/kegs/records/beverage-record.ts';
import { kegInputs } from '../../../core/kegs/records/keg-record.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, KegFields, NewKeg } from '../../../engine/engine.ts';
import { AnyId, Instant, parseInstant, toId, validationError } from '../../routes/input-values.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { recordChangeSchemas, toFields } from '../shared/record-schemas.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  ...errorWords('must not be blank', { name: 'not_blank' }),
});

const inputs = recordChangeSchemas(kegInputs);
/** Fields of a keg that can be changed at any time. */
export const kegProperties = {
  keg_type: Maybe(
    Type.Enum(
      kegSizes.map(({ key }) => key),
      { description: 'Key of its size, see `/api/keg-sizes`; default `half-barrel`.' },
    ),
  ),
  size_id: Maybe({ ...AnyId, description: 'Id of its size, see `/api/keg-sizes`; instead of `keg_type`.' }),
  ...inputs,
  full_volume_ml: Maybe(Nullable(inputs.full_volume_ml)),
};

/** Changes of a keg. */
export const KegChangeJson = named(
  'KegChange',
  Closed(
    {
      beverage_id: Maybe({
        ...AnyId,
        description: 'Id of the beverage in the keg; its drinks count as drinks of that beverage.',
      }),
      ...kegProperties,
      started_time: Maybe(
        Instant('When it was put on tap: not in the future, and not after its first drink or its end.'),
      ),
      finished_time: Maybe(
        Instant(
          'When it was finished: not in the future, and not before its start or its last drink; for a finished keg only.',
        ),
      ),
    },
    { description: 'Changes of a keg.' },
  ),
);

export const NewKegJson = named(
  'NewKeg',
  Closed(
    {
      beverage_id: Maybe(Nullable({ ...AnyId, description: 'Id of the beverage in the keg.' })),
      beverage_name: Maybe(Nullable({ ...Name, description: 'Name of the beverage, instead of its id.' })),
      producer_name: Maybe(
        Nullable({ ...Name, description: 'Name of its producer; required with `beverage_name`.' }),
      ),
      style_name: Maybe(
        Nullable({ ...Name, description: 'Name of its style; required with `beverage_name`.' }),
      ),
      beverage_type: recordChangeSchemas(beverageFields).beverage_type,
      ...kegProperties,
    },
    { description: 'A new keg.' },
  ),
);

/** The keg of a request: its beverage by id, or by three names, matched exactly or created. */
export function toNewKeg(body: Static<typeof NewKegJson>): NewKeg {
  return { beverage: toBeverage(body), ...toKegFields(body) };
}

/** The keg fields of a request, without the beverage. */
export function toKegFields(body: Pick<Static<typeof NewKegJson>, keyof typeof kegProperties>) {
  const { keg_type: sizeKey, size_id: sizeId } = body;
  if (sizeKey !== undefined && sizeId !== undefined)
    throw validationError('size_id', 'cannot be combined with keg_type');
  return {
    ...omitUndefined({ sizeKey, sizeId: sizeId === undefined ? undefined : toId(sizeId) }),
    ...toFields(kegInputs, body),
  };
}

/** The changes of a request. */
export function toKegChange(engine: Engine, body: Static<typeof KegChangeJson>): KegFields {
  const { beverage_id: beverageId, started_time: started, finished_time: finished } = body;
  return {
    ...toKegFields(body),
    ...omitUndefined({
      beverageId: beverageId === undefined ? undefined : toId(beverageId),
      startedTimeMs: started === undefined ? undefined : parseInstant(engine, 'started_time', started),
      finishedTimeMs: finished === undefined ? undefined : parseInstant(engine, 'finished_time', finished),
    }),
  };
}

function toBeverage(body: Static<typeof NewKegJson>): NewKeg['beverage'] {
  const { beverage_id: id, beverage_name: name, producer_name: producerName, style_name: styleName } = body;
  if (id != null) {
    if (name != null) throw validationError('beverage_name', 'cannot be combined with beverage_id');
    return { id: toId(id) };
  }
  if (name == null)
    throw validationError('beverage_id', 'is required, or beverage_name with producer_name and style_name', {
      name: 'required',
    });
  if (producerName == null)
    throw validationError('producer_name', 'is required with beverage_name', { name: 'required' });
  if (styleName == null)
    throw validationError('style_name', 'is required with beverage_name', { name: 'required' });
  const { beverage_type: beverageType } = body;
  return { name, producerName, styleName, ...omitUndefined({ beverageType }) };
}
