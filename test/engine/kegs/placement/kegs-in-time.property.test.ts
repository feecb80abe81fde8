import { test } from 'vitest';
import { openEmptyBar } from '../../bar.ts';
import { checkKegsInTime } from './kegs-in-time.ts';

test('property: each glass is of the kegs that were on the tap while it flowed, whenever it is reported and the button pressed', () =>
  checkKegsInTime(openEmptyBar));
