import type { QualityPreference } from '../../media/live/quality-selection.ts'
import { $streams } from './stream-tickets.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

type Pins = Readonly<Record<string, string>>

/** Renditions that this browser always asks for, by device id. */
export const $pins = keptJson<Pins>(KEYS.livePins, {}, isPins)

/** Always this rendition in this browser; null: whatever fits. */
export function pinRendition(deviceId: string, name: string | null): void {
  const { [deviceId]: _, ...others } = $pins.get()
  $pins.set(name === null ? others : { ...others, [deviceId]: name })
}

/** What a camera offers, and what was chosen of it. */
export function getQualityPreference(deviceId: string): QualityPreference {
  const { renditions = [], rendition = null } = $streams.get()[deviceId] ?? {}
  return { offered: renditions, chosen: rendition, pin: $pins.get()[deviceId] ?? null }
}

function isPins(value: unknown): value is Pins {
  return typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
}
