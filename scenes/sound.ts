import type { Place } from './kit/place.ts'
import { listSoundIntervals, mixTrack, writeOpus } from './kit/sound/track.ts'
import type { TimeOfDay, LightManifest } from './manifest.ts'
import { getBasePath } from './segment.ts'

const scenesUrl = new URL('./', import.meta.url)

/**
 * Writes the audio files of a scene at one time of day. Returns `part` with these files added, or `part` itself if the
 * scene has no sound.
 */
export async function renderSound(place: Place, light: TimeOfDay, part: LightManifest): Promise<LightManifest> {
  const { sound } = place
  if (!sound) return part
  const air = sound.background(light),
    file = (id: string): string => `${getBasePath(place, light, id)}.ogg`
  await writeOpus(air, new URL(file('quiet'), scenesUrl).pathname)
  const actions: LightManifest['actions'] = []
  for (const action of part.actions) {
    const calls = sound.actionSounds[action.id]?.()
    if (!calls) {
      actions.push(action)
      continue
    }
    await writeOpus(mixTrack(air, action.frames / 15, calls), new URL(file(action.id), scenesUrl).pathname)
    actions.push({ ...action, sound: file(action.id), heard: listSoundIntervals(calls) })
  }
  return { ...part, quiet: { ...part.quiet, sound: file('quiet') }, actions }
}
