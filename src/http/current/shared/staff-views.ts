import type { Keg, User } from '../../../core/records.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { isStaffRole, userRole } from '../../pipeline/access.ts';
import { Closed, Nullable } from '../../routes/schemas.ts';
import { staffTapJson, tapItemJson } from './tap-views.ts';
import {
  BeverageJson,
  beverageJson,
  KegJson,
  KegSizeJson,
  kegJson,
  kegSizeJson,
  staffKegJson,
} from './views.ts';

/** View of a keg for the user: only staff see the notes. */
export const kegJsonFor = (user: User | null) =>
  isStaffRole(userRole(user)) ? (keg: Keg) => ({ ...kegJson(keg), ...staffKegJson(keg) }) : kegJson;

/** View of a tap and its keg for the user: only staff see the notes. */
export const tapItemJsonFor = (user: User | null) =>
  isStaffRole(userRole(user)) ? staffTapItemJson : tapItemJson;

/** One keg with its beverage and size. */
export const KegItemJson = Closed({
  keg: KegJson,
  type: Nullable(BeverageJson),
  size: Nullable(KegSizeJson),
});

export function kegItemJson(user: User | null, { kegs }: Engine, keg: Keg) {
  const beverage = kegs.beverage(keg.beverageId);
  const size = kegs.sizes().find((one) => one.id === keg.sizeId);
  return {
    keg: kegJsonFor(user)(keg),
    type: beverage && beverageJson(beverage),
    size: size ? kegSizeJson(size) : null,
  };
}

function staffTapItemJson(view: TapView) {
  const { tap, state, keg } = view;
  const item = tapItemJson(view);
  return {
    ...item,
    state,
    tap: { ...item.tap, ...staffTapJson(tap) },
    keg: keg && { ...kegJson(keg), ...staffKegJson(keg) },
  };
}
