import { atom } from 'nanostores'

/**
 * Ids of results whose group the user has expanded or collapsed. They stay while a clip is open, so that Back restores
 * the list.
 */
export const $toggledGroupIds = atom<ReadonlySet<string>>(new Set())

export function toggleResultGroup(eventId: string): void {
  const toggled = new Set($toggledGroupIds.get())
  if (!toggled.delete(eventId)) toggled.add(eventId)
  $toggledGroupIds.set(toggled)
}
