import { atom } from 'nanostores'

/** Ids of results whose group is expanded; kept while a clip is open, so that Back restores the list. */
export const $openedMatches = atom<ReadonlySet<string>>(new Set())

export function toggleMatchFold(eventId: string): void {
  const opened = new Set($openedMatches.get())
  if (!opened.delete(eventId)) opened.add(eventId)
  $openedMatches.set(opened)
}
