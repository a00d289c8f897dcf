import { atom } from 'nanostores'

/** Ids of the events whose cards are drawn. */
export const $inView = atom<readonly string[]>([])

/** One sentence for each event that is unusual for its camera and time of day (OPEN-69), by its id. */
export const $unusual = atom<ReadonlyMap<string, string>>(new Map())
