import { atom } from 'nanostores'

/** Ids of results whose group is expanded. They stay while a clip is open, so that Back restores the list. */
export const $openGroupResultIds = atom<ReadonlySet<string>>(new Set())

export function toggleResultGroup(eventId: string): void {
  const opened = new Set($openGroupResultIds.get())
  if (!opened.delete(eventId)) opened.add(eventId)
  $openGroupResultIds.set(opened)
}
