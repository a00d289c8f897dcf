import type { QualityPreference } from '../../media/live/quality-selection.ts'
import { $streams } from './stream-tickets.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

type Pins = Readonly<Record<string, string>>

/** Renditions pinned in this browser, by device id. */
export const $pins = keptJson<Pins>(KEYS.livePins, {}, isPins)

/** Pins a rendition in this browser; null selects one automatically. */
export function pinRendition(deviceId: string, name: string | null): void {
  const { [deviceId]: _, ...others } = $pins.get()
  $pins.set(name === null ? others : { ...others, [deviceId]: name })
}

/** Returns the renditions that a camera offers, the one chosen for all viewers, and this browser's pin. */
export function getQualityPreference(deviceId: string): QualityPreference {
  const { renditions = [], rendition = null } = $streams.get()[deviceId] ?? {}
  return { offered: renditions, chosen: rendition, pin: $pins.get()[deviceId] ?? null }
}

function isPins(value: unknown): value is Pins {
  return typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
}
