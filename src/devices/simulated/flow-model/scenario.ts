/** A flow meter as the model turns its wheel. */
export interface SimulatedMeter {
  /** Calibration at a high flow, ticks per millilitre. */
  readonly ticksPerMl: number;
  /** Flow that is lost to friction, mL/s: the calibration at a flow q is `ticksPerMl · (1 − rollOffMlPerS / q)`. */
  readonly rollOffMlPerS: number;
  /** Below this flow the wheel stands still, mL/s. */
  readonly stallMlPerS: number;
  /** Time constants of the wheel's speed, for a rising and for a falling flow. */
  readonly tauUpMs: number;
  readonly tauDownMs: number;
  /** Ticks of one turn. */
  readonly magnets: number;
  /** Greatest error of a magnet's position, as a share of the distance between two. */
  readonly unevenness: number;
  /** Standard deviation of the time stamps. */
  readonly jitterMs: number;
  /** The wheel turns no faster than this, ticks per second; null without a limit. */
  readonly maxHz: number | null;
}

/** What a keg has left, and what comes after it. */
export interface SimulatedKeg {
  /** Beer in keg and hose before foam or gas reaches the meter. */
  readonly volumeMl: number;
  /** How much faster gas flows than beer. */
  readonly gasRatio: number;
  /** Duration of the foam before the gas. */
  readonly foamMs: number;
  /** True when a foam-on-beer detector shuts the line in place of foam and gas. */
  readonly hasFob: boolean;
}

/** Foam between the beer, as in the first pours of a fresh keg. */
export interface FoamSlug {
  readonly atMs: number;
  readonly durationMs: number;
  /** Its flow as a share of beer's. */
  readonly ratio: number;
}

/** What comes out of a line before the beer of a keg that was just connected: the gas in it, then foam. */
export interface FreshKeg {
  /** Gas in the line before the meter. */
  readonly gasMl: number;
  /** How much faster gas flows than beer. */
  readonly gasRatio: number;
  /** Foam after it, by its whole volume. */
  readonly foamMl: number;
  /** Beer in the foam, 0 to 1. */
  readonly beerShare: number;
  /** Standard deviation of the foam's flow, a share of it. */
  readonly unevenness: number;
}

/** Edges that no wheel makes. */
export type Disturbance =
  /** Random edges, as of a motor that starts; independent of one another. */
  | { readonly kind: 'burst'; readonly atMs: number; readonly durationMs: number; readonly hz: number }
  /** Edges at a fixed frequency, as of the mains. */
  | { readonly kind: 'mains'; readonly atMs: number; readonly durationMs: number; readonly hz: number }
  /** Every edge of the wheel is followed by others with this probability, as of a worn contact. */
  | { readonly kind: 'bounce'; readonly share: number; readonly withinMs: number };

/** Everything that decides what a meter sees. Times start at 0. */
export interface FlowScenario {
  readonly meter: SimulatedMeter;
  /** Flow of the fully open tap at the nominal temperature and pressure, mL/s. */
  readonly flowMlPerS: number;
  /** How far the tap is open from each time on, 0 to 1; shut before the first. */
  readonly steps: readonly { readonly atMs: number; readonly valve: number }[];
  /** End of the scenario; by default 2 s after the last event. */
  readonly durationMs?: number;
  /** Time that the tap's handle or valve needs from shut to open. */
  readonly valveMs?: number;
  /** The keg; one that never ends by default. */
  readonly keg?: SimulatedKeg;
  readonly foam?: readonly FoamSlug[];
  readonly freshKeg?: FreshKeg;
  /** Standard deviation of the flow, a share of it; it changes within 0.3 s. */
  readonly unsteadiness?: number;
  /** Flow past a shut valve, mL/s. */
  readonly leakMlPerS?: number;
  /** Gushes past a shut valve: `ml` within `ms`, at random times this far apart on average. */
  readonly drips?: { readonly everyMs: number; readonly ml: number; readonly ms: number };
  /** The liquid swings in the hose after the tap has shut: the first swing back moves this much. */
  readonly reboundMl?: number;
  /** The same while the tap is shut, as when another tap of the same cooler is shut. */
  readonly swings?: readonly { readonly atMs: number; readonly ml: number }[];
  /** Water in place of beer, whatever the tap does; flows by a pump. */
  readonly cleaning?: readonly {
    readonly atMs: number;
    readonly durationMs: number;
    readonly flowMlPerS: number;
    readonly temperatureC?: number;
  }[];
  readonly disturbances?: readonly Disturbance[];
  /** Temperature of the beer; 5 °C by default. */
  readonly temperatureC?: number;
  /** Pressure over that of the bar; 1 bar by default. */
  readonly pressureBar?: number;
}

/** What fills the meter. */
export type FlowKind = 'beer' | 'foam' | 'gas' | 'water';

/** A span in which one thing flows. */
export interface FlowPhase {
  readonly kind: FlowKind;
  readonly startMs: number;
  readonly endMs: number;
}

/** What a meter saw, and what was true. */
export interface SimulatedFlow {
  /** Edges in the order of their time. */
  readonly stampsMs: Float64Array;
  /** Ticks of the wheel among them, without disturbances. */
  readonly wheelTicks: number;
  /** Volumes that passed the meter forwards; foam by its whole volume. */
  readonly beerMl: number;
  readonly foamMl: number;
  readonly gasMl: number;
  readonly waterMl: number;
  /** Beer in the foam. */
  readonly foamBeerMl: number;
  /** Volume that passed the meter backwards. */
  readonly backMl: number;
  readonly phases: readonly FlowPhase[];
  readonly durationMs: number;
}
