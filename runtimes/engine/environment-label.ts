/**
 * Which of the variables that this engine would set by itself were asked for. Inspect shows both kinds alike, and a
 * variable nobody asked for must not count as a difference.
 */
export const ENVIRONMENT_SET = 'dev.berth.environment-set';
