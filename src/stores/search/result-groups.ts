import { atom } from 'nanostores'

/** Ids of the results whose fold is open; kept while a clip is watched, so that Back leads to the same list. */
export const $openedMatches = atom<ReadonlySet<string>>(new Set())

/** Opens the fold that begins with a result, or closes it. */
export function toggleMatchFold(eventId: string): void {
  const opened = new Set($openedMatches.get())
  if (!opened.delete(eventId)) opened.add(eventId)
  $openedMatches.set(opened)
}
