// The targets of the measurement, beside what was found.

export const outcomes = ['beer', 'foamy', 'gas', 'held: noise', 'held: all taps', 'drip', 'nothing'];

export const countOutcomes = (judged) =>
  Object.fromEntries(outcomes.map((one) => [one, judged.filter(({ outcome }) => outcome === one).length]));

export function targetRows(results) {
  const all = (...names) => names.flatMap((name) => results.get(name) ?? []);
  const clean = all('clean', 'throttled', 'half, then full', 'stop and go');
  const noise = all('noise', 'mains', 'crosstalk', 'burst on all taps');
  const gas = all('gas 2 to 4');
  const fine = gas.filter(({ ticksPerMl }) => ticksPerMl >= 0.9);
  const coarse = gas.filter(({ ticksPerMl }) => ticksPerMl < 0.9);
  const found = all('gas 2 to 4', 'gas above 833 Hz').filter(({ outcome }) => outcome === 'gas');
  const onset = found.filter(({ onsetMs, gasStartMs }) => Math.abs(onsetMs - gasStartMs) <= 300);
  const foam = all('foam, up to 1.2', 'FOB stop');
  return [
    share('Ordinary pours without gas', clean, isNot('gas'), 0.999),
    share('Ordinary pours not held', clean, (one) => !isHeld(one), 0.995),
    share('Two taps at once not held', all('two taps at once'), (one) => !isHeld(one), 0.995),
    share(
      'Crosstalk held, or too little for a drink',
      all('crosstalk'),
      (one) => isHeld(one) || !isDrink(one),
      0.99,
    ),
    share('Pours that crosstalk picked up not held', all('crosstalk'), (one) => !one.isOtherHeld, 0.95),
    share('Gas of 2 to 4 times the rate found', gas, is('gas'), 0.99),
    delay('Gas found after, 95 % (0.9 ticks/mL or more)', fine, 700),
    delay('Gas found after, 95 % (coarser meters)', coarse, 1_200),
    share('Onset of gas within 0.3 s', found, (one) => onset.includes(one), 0.95),
    share(
      'Gas of 1.5 times suspected or found',
      all('gas 1.5'),
      (one) => is('gas')(one) || is('foamy')(one),
      0.95,
    ),
    share('Foam and FOB stops without gas', foam, isNot('gas'), 0.99),
    share('Noise held, or too little for a drink', noise, (one) => isHeld(one) || !isDrink(one), 0.99),
    share('Noise without gas', noise, isNot('gas'), 0.995),
    share(
      'Before ten pours: ordinary pours without gas',
      all('no pours yet, half, then full'),
      isNot('gas'),
      0.999,
    ),
    known('Before ten pours: gas of 2 to 4 times found', all('no pours yet, gas 2 to 4'), is('gas')),
    share('Gas above 833 Hz called gas', all('gas above 833 Hz'), is('gas'), 0.99),
    share('A drop or two makes no drink', all('a drop or two'), (one) => !isDrink(one), 0.99),
  ];
}

const is = (wanted) => (one) => one.outcome === wanted;
const isNot = (unwanted) => (one) => one.outcome !== unwanted;
const isDrink = ({ outcome }) => outcome !== 'drip' && outcome !== 'nothing';
const isHeld = ({ outcome }) => outcome.startsWith('held');

function share(what, judged, isRight, target) {
  if (judged.length === 0) return row(what, '–', `≥ ${100 * target} %`, null);
  const right = judged.filter(isRight).length / judged.length;
  return row(
    what,
    `${(100 * right).toFixed(2)} % of ${judged.length}`,
    `≥ ${100 * target} %`,
    right >= target,
  );
}

/** A share without a target. */
const known = (what, judged, isRight) => ({
  what,
  ours: `${((100 * judged.filter(isRight).length) / judged.length).toFixed(2)} % of ${judged.length}`,
});

/** 95th percentile of the time from gas to the report, among all: what was not found is late. */
function delay(what, judged, targetMs) {
  if (judged.length === 0) return row(what, '–', `≤ ${targetMs} ms`, null);
  const delays = judged.map(({ gasAtMs, gasStartMs }) => (gasAtMs ?? Number.POSITIVE_INFINITY) - gasStartMs);
  delays.sort((a, b) => a - b);
  const p95 = delays[Math.min(delays.length - 1, Math.floor(0.95 * delays.length))];
  return row(what, `${p95.toFixed(0)} ms`, `≤ ${targetMs} ms`, p95 <= targetMs);
}

const row = (what, ours, target, met) => ({
  what,
  ours,
  bare: '',
  ratio: '',
  target,
  ...(met === null ? {} : { met }),
});
