import { beverageFields, type NewBeverage } from '../../../core/kegs/records/beverage-record.ts';
import { type KegInputs, type KegState, kegInputs } from '../../../core/kegs/records/keg-record.ts';
import { type NewProducer, producerFields } from '../../../core/kegs/records/producer-record.ts';
import {
  maxDurationMs,
  maxTicks,
  maxVolumeMl,
  validateNew,
  validateNumber,
  validatePourId,
  validateText,
  validationError,
} from '../../../engine/shared/bounds.ts';
import { validateEmail } from '../../../engine/users/account-bounds.ts';

/** An account of the source. It gets neither password nor rights here. */
export interface ImportedUser {
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly isActive: boolean;
  /** Unix milliseconds; null when unknown. */
  readonly joinedTimeMs: number | null;
}

/** A beverage of the source; absent fields are unknown. */
export interface ImportedBeverage extends Omit<NewBeverage, 'producerId'> {
  readonly producer: NewProducer;
}

/** How a keg names its beverage: by its key in the source, else by its names. */
type ImportedKegBeverage =
  | { readonly key: string }
  | { readonly name: string; readonly producerName: string };

/** A keg of the source. */
export interface ImportedKeg extends Omit<Partial<KegInputs>, 'fullVolumeMl'> {
  readonly beverage: ImportedKegBeverage;
  /** Key or name of a keg size; null: that of the volume. */
  readonly size: string | null;
  /** Null: that of the size. */
  readonly fullVolumeMl: number | null;
  readonly state: KegState;
  readonly createdTimeMs: number | null;
  readonly startedTimeMs: number | null;
  readonly finishedTimeMs: number | null;
  readonly spilledVolumeMl: number;
  /** Whether the key is only unique within files of one site, so that another keg may have it. */
  readonly hasLooseKey: boolean;
}

/** A drink of the source. */
export interface ImportedDrink {
  /** By which the pour may be known here, if it has one. */
  readonly pourId: string | null;
  readonly pourTimeMs: number;
  readonly timeCertain: boolean;
  readonly durationMs: number;
  readonly ticks: number;
  readonly volumeMl: number;
  /** Null, empty or `guest`: nobody. */
  readonly username: string | null;
  /** Key of the keg in the source; null without one. */
  readonly kegKey: string | null;
  /** A tap of this site through which it flowed: it is of the keg that was on it then. Null: unknown, or the keg is named. */
  readonly tapName: string | null;
  readonly shout: string | null;
}

/** How far a clock of the source may be ahead, milliseconds. */
const clockToleranceMs = 300_000;

/** Longest username that a drink can claim. */
const maxClaimedLength = 128;

/** Validates a user; throws `invalid_request`. Whether the name is possible here is decided when it is imported. */
export function checkUser(user: ImportedUser): ImportedUser {
  return {
    ...user,
    username: validateText('username', user.username, { max: maxClaimedLength }),
    displayName: validateText('display_name', user.displayName, { min: 0, max: 127 }),
    email: validateEmail(user.email),
  };
}

/** Validates a beverage with its producer; throws `invalid_request`. */
export function checkBeverage(beverage: ImportedBeverage): ImportedBeverage {
  const { producer, ...fields } = beverage;
  const { producerId: _id, ...checked } = validateNew(beverageFields, { ...fields, producerId: 0 });
  const maker = {
    ...producer,
    name: validateText('producer', producer.name, { max: producerFields.name.max }),
  };
  return { ...checked, producer: validateNew(producerFields, maker) };
}

/** Validates a keg; throws `invalid_request`. `nowMs` is null while the clock is not set. */
export function checkKeg(keg: ImportedKeg, nowMs: number | null): ImportedKeg {
  const { beverage } = keg;
  const time = (field: string, ms: number | null) => (ms === null ? null : checkTime(field, ms, nowMs));
  return {
    ...keg,
    ...checkKegInputs(keg),
    beverage:
      'key' in beverage
        ? beverage
        : {
            name: validateText('beverage', beverage.name, { max: beverageFields.name.max }),
            producerName: validateText('producer', beverage.producerName, { max: producerFields.name.max }),
          },
    createdTimeMs: time('created_time', keg.createdTimeMs),
    startedTimeMs: time('started_time', keg.startedTimeMs),
    finishedTimeMs: time('finished_time', keg.finishedTimeMs),
    spilledVolumeMl: validateNumber('spilled_volume_ml', keg.spilledVolumeMl, { min: 0, max: maxVolumeMl }),
  };
}

/** Null stands for the volume of the size, which any volume may be here. */
function checkKegInputs({ fullVolumeMl, ...texts }: ImportedKeg) {
  const checked = validateNew(kegInputs, {
    ...texts,
    fullVolumeMl: fullVolumeMl ?? kegInputs.fullVolumeMl.max,
  });
  return fullVolumeMl === null ? { ...checked, fullVolumeMl } : checked;
}

/** Validates a drink; throws `invalid_request`. `nowMs` is null while the clock is not set. */
export function checkDrink(drink: ImportedDrink, nowMs: number | null): ImportedDrink {
  const { pourId, username, shout } = drink;
  return {
    ...drink,
    pourId: pourId === null ? null : validatePourId(pourId),
    pourTimeMs: checkTime('pour_time', drink.pourTimeMs, nowMs),
    durationMs: Math.round(
      validateNumber('duration', drink.durationMs / 1_000, { min: 0, max: maxDurationMs / 1_000 }) * 1_000,
    ),
    ticks: validateNumber('ticks', drink.ticks, { min: 0, max: maxTicks, whole: true }),
    volumeMl: validateNumber('volume_ml', drink.volumeMl, { min: 0, max: maxVolumeMl }),
    username:
      username === null
        ? null
        : validateText('user', username, { min: 0, max: maxClaimedLength, from: 'device' }) || null,
    shout:
      shout === null ? null : validateText('shout', shout, { min: 0, max: 1_000, kind: 'lines' }) || null,
  };
}

function checkTime(field: string, ms: number, nowMs: number | null): number {
  if (!(ms >= 0 && Number.isSafeInteger(Math.round(ms))))
    throw validationError(field, 'must be a time since 1970');
  if (nowMs !== null && ms > nowMs + clockToleranceMs)
    throw validationError(field, 'must not be in the future');
  return Math.round(ms);
}
