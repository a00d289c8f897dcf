import type { Scene } from './kit/place.ts'
import { listSoundIntervals, mixTrack, writeOpus } from './kit/sound/track.ts'
import type { TimeOfDay, LightManifest } from './manifest.ts'
import { getBasePath } from './segment.ts'

const scenesUrl = new URL('./', import.meta.url)

/**
 * Writes the audio files of a scene at one time of day. Returns `manifest` with these files added, or `manifest` itself
 * if the scene has no sound.
 */
export async function renderSound(scene: Scene, timeOfDay: TimeOfDay, manifest: LightManifest): Promise<LightManifest> {
  const { sound } = scene
  if (!sound) return manifest
  const background = sound.background(timeOfDay),
    file = (id: string): string => `${getBasePath(scene, timeOfDay, id)}.ogg`
  await writeOpus(background, new URL(file('quiet'), scenesUrl).pathname)
  const actions: LightManifest['actions'] = []
  for (const action of manifest.actions) {
    const sounds = sound.actionSounds[action.id]?.()
    if (!sounds) {
      actions.push(action)
      continue
    }
    await writeOpus(mixTrack(background, action.frames / 15, sounds), new URL(file(action.id), scenesUrl).pathname)
    actions.push({ ...action, sound: file(action.id), heard: listSoundIntervals(sounds) })
  }
  return { ...manifest, quiet: { ...manifest.quiet, sound: file('quiet') }, actions }
}
