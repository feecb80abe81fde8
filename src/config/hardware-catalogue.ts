import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { hardwareDirectory } from '../system/product.ts';

const Source = Type.String({
  minLength: 8,
  description: 'Source of the value: data sheet, bulletin or author.',
});
const Id = Type.String({ pattern: '^[a-z0-9-]+$', maxLength: 64 });
const closed = { additionalProperties: false };
const Positive = Type.Number({ exclusiveMinimum: 0 });
const Colour = Type.Enum(['black', 'brown', 'red', 'yellow', 'green', 'blue', 'white']);

/** A value with its source. */
const Sourced = <T extends Type.TSchema>(value: T) => Type.Object({ value, source: Source }, closed);

/** One flow meter of `hardware/meters/`; every value names its source. */
export const MeterModelSchema = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1 }),
    maker: Type.Optional(Type.String({ minLength: 1 })),
    ticks_per_ml: Sourced(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
    /** Flows that it measures, litres a minute. */
    range_l_min: Type.Optional(
      Type.Object({ min: Type.Optional(Positive), max: Positive, source: Source }, closed),
    ),
    /** Highest pulse rate within the meter's range, Hz. */
    max_hz: Type.Optional(Sourced(Positive)),
    /** Bound of the error before it is calibrated, percent of the reading. */
    accuracy_percent: Type.Optional(Sourced(Positive)),
    /** Spread of equal pours, percent of the reading. */
    repeatability_percent: Type.Optional(Sourced(Positive)),
    /** Calibration at several pulse rates, ascending. */
    linearity_points: Type.Optional(
      Sourced(
        Type.Array(Type.Object({ hz: Positive, ticks_per_ml: Positive }, closed), {
          minItems: 2,
          maxItems: 8,
        }),
      ),
    ),
    supply_v: Type.Optional(Type.Object({ min: Type.Number(), max: Type.Number(), source: Source }, closed)),
    output: Type.Optional(Sourced(Type.Enum(['open-collector', 'push-pull', 'measure-first']))),
    /** Colours of its wires. */
    wires: Type.Optional(
      Type.Object({ supply: Colour, ground: Colour, signal: Colour, source: Source }, closed),
    ),
    notes: Type.Optional(Type.String()),
  },
  closed,
);

/** A pin header of `hardware/boards/`. */
export const HeaderSchema = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1 }),
    sources: Type.Object({ positions: Source, pull_at_reset: Source, also: Source }, closed),
    pins: Type.Array(
      Type.Union([
        Type.Object(
          {
            header_pin: Type.Integer({ minimum: 1, maximum: 40 }),
            kind: Type.Enum(['3.3 V', '5 V', 'ground']),
          },
          closed,
        ),
        Type.Object(
          {
            header_pin: Type.Integer({ minimum: 1, maximum: 40 }),
            kind: Type.Literal('gpio'),
            gpio: Type.Integer({ minimum: 0, maximum: 27 }),
            pull_at_reset: Type.Enum(['up', 'down']),
            /** False when the board itself or a common service needs the pin. */
            safe: Type.Boolean(),
            also: Type.Optional(Type.String()),
          },
          closed,
        ),
      ]),
    ),
  },
  closed,
);

/** One board of `hardware/boards/`. */
export const BoardSchema = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1 }),
    header: Id,
    /** The prefix of `/proc/device-tree/model` on this board. */
    model_starts_with: Type.String({ minLength: 1 }),
    gpio_chip: Type.Object(
      {
        label: Type.String({ minLength: 1 }),
        compatible: Type.String({ minLength: 1 }),
        lines: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
    sources: Type.Object({ model_starts_with: Source, gpio_chip: Source }, closed),
    notes: Type.Optional(Type.String()),
  },
  closed,
);

export type Header = Static<typeof HeaderSchema>;
type Board = Static<typeof BoardSchema>;
export type MeterModelEntry = Static<typeof MeterModelSchema>;

/** Reads every flow-meter model, by name; a damaged file only loses its model. */
export function meterModels(): readonly MeterModelEntry[] {
  const folder = join(hardwareDirectory, 'meters');
  const models = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return JSON.parse(readFileSync(join(folder, name), 'utf8')) as MeterModelEntry;
      } catch {
        return [];
      }
    });
  return models.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Reads every board, by id. */
export function boards(): ReadonlyMap<string, Board> {
  return mapById(readTables().filter((entry): entry is Board => 'gpio_chip' in entry));
}

/** Reads every pin header, by id. */
export function headers(): ReadonlyMap<string, Header> {
  return mapById(readTables().filter((entry): entry is Header => 'pins' in entry));
}

/** Returns the board with this device-tree model; null for an unknown board. */
export function findBoard(model: string): Board | null {
  return [...boards().values()].find((board) => model.startsWith(board.model_starts_with)) ?? null;
}

/** Returns the pin header of the board with this device-tree model; null for an unknown board. */
export function findHeader(model: string): Header | null {
  const board = findBoard(model);
  return (board === null ? null : headers().get(board.header)) ?? null;
}

function readTables(): (Board | Header)[] {
  const folder = join(hardwareDirectory, 'boards');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Board | Header);
}

function mapById<T extends { readonly id: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
