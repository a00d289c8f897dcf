import type { QualityPreference } from '../../media/live/quality-selection.ts'
import { $streams } from './stream-tickets.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

type PinnedRenditions = Readonly<Record<string, string>>

/** Renditions pinned in this browser, by device id. */
export const $pinnedRenditions = persistentJson<PinnedRenditions>(STORAGE_KEYS.livePins, {}, isPinnedRenditions)

/** Pins a rendition in this browser; null restores automatic selection. */
export function pinRendition(deviceId: string, name: string | null): void {
  const { [deviceId]: _, ...others } = $pinnedRenditions.get()
  $pinnedRenditions.set(name === null ? others : { ...others, [deviceId]: name })
}

/** Returns the renditions that a camera offers, the one chosen for all viewers, and this browser's pin. */
export function getQualityPreference(deviceId: string): QualityPreference {
  const { renditions = [], rendition = null } = $streams.get()[deviceId] ?? {}
  return { offered: renditions, chosen: rendition, pin: $pinnedRenditions.get()[deviceId] ?? null }
}

function isPinnedRenditions(value: unknown): value is PinnedRenditions {
  return typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
}
