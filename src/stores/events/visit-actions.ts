import type { Visit } from '../../domain/events/visits.ts'
import { $homeId } from '../home/devices.ts'
import { $allClipsHomes, $openVisitEvents } from './visits.ts'

export function closeVisit({ clips }: Visit): void {
  const opened = new Map($openVisitEvents.get())
  for (const { event_id } of clips) opened.delete(event_id)
  $openVisitEvents.set(opened)
}

/** Shows all clips of the home, or visits. Stores the choice for the home. */
export function showAllClips(showsAllClips: boolean): void {
  const homeId = $homeId.get()
  const otherHomes = $allClipsHomes.get().filter((id) => id !== homeId)
  $allClipsHomes.set(showsAllClips ? [...otherHomes, homeId] : otherHomes)
}
