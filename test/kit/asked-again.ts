/**
 * Where many share a machine, a real browser or process is now and then not served in time. There, and only there, a
 * test may be asked a second time; `.ci/run` names it all the same, with what it said first. A law that was broken once
 * is broken: no property is asked again, and neither are the power cuts and the pins of a kernel.
 */
export const askedAgain = process.env.CI ? { count: 1, condition: /^(?!Property failed)/ } : { count: 0 };
