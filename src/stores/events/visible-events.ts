import { atom } from 'nanostores'

/** Ids of the events whose cards are rendered. */
export const $visibleEventIds = atom<readonly string[]>([])

/** One sentence per event that is unusual for its camera and time of day (OPEN-69), by event id. */
export const $anomalyTexts = atom<ReadonlyMap<string, string>>(new Map())
