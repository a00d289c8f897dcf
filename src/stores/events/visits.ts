import { atom, computed } from 'nanostores'
import { VISIT_GAP_MS } from '../../../contract/events/events.ts'
import type { Visit } from '../../domain/events/visits.ts'
import { $homeId } from '../home/devices.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { VISIT_KEYS } from '../storage/visit-keys.ts'

/** Ids of the homes whose event list shows all clips instead of visits. */
export const $allClipsHomes = persistentJson<readonly string[]>(VISIT_KEYS.allClips, [], Array.isArray)

export const $showsAllClips = computed([$allClipsHomes, $homeId], (homes, homeId) => homes.includes(homeId))

/** Maximum gap between the clips of a visit, ms; negative if each clip is a row. */
export const $visitGapMs = computed($showsAllClips, (showsAllClips) => (showsAllClips ? -Infinity : VISIT_GAP_MS))

/** Event ids of the opened visits; true if the visit shows all its clips. A visit stays open when clips join it. */
export const $openVisitEvents = atom<ReadonlyMap<string, boolean>>(new Map())

export function openVisit({ clips }: Visit, showsEveryClip: boolean): void {
  $openVisitEvents.set(
    new Map([...$openVisitEvents.get(), ...clips.map(({ event_id }) => [event_id, showsEveryClip] as const)]),
  )
}
