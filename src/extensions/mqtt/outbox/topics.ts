/** The topics of one site: `<prefix>/<site>/…`. */
export type Topics = ReturnType<typeof createTopics>;

export function createTopics(prefix: string, siteId: string) {
  const base = `${prefix}/${siteId}`;
  const tap = (id: number, name: string) => `${base}/taps/${id}/${name}`;
  return {
    base,
    availability: `${base}/availability`,
    /** The machine. */
    state: `${base}/state`,
    session: `${base}/session`,
    /** Events that belong to no tap. */
    event: `${base}/event`,
    /** Message of a connection test. */
    test: `${base}/test`,
    tapState: (id: number) => tap(id, 'state'),
    tapEvent: (id: number) => tap(id, 'event'),
    tapLive: (id: number) => tap(id, 'live'),
    /** Each reading, not retained. */
    tapTemperature: (id: number) => tap(id, 'temperature'),
    tapPouring: (id: number) => tap(id, 'pouring'),
    tapValve: (id: number) => tap(id, 'valve'),
    tapRemaining: (id: number) => tap(id, 'remaining_l'),
    tapPercent: (id: number) => tap(id, 'percent'),
    tapBeverage: (id: number) => tap(id, 'beverage'),
    tapValveSet: (id: number) => tap(id, 'valve/set'),
    /** Commands of all taps. */
    anyValveSet: `${base}/taps/+/valve/set`,
    /** Commands for the valves of all taps. */
    valvesSet: `${base}/valves/set`,
    valvesResult: `${base}/valves/result`,
    anyKegSet: `${base}/taps/+/keg/set`,
    tapResult: (id: number, subject: 'valve' | 'keg') => tap(id, `${subject}/result`),
  };
}
