import { atom } from 'nanostores'
import { openCameraDoor } from '../../../contract/cameras/camera-setup.ts'
import { computeFingerprint, publicKey } from '../../../contract/bridge/sealed-channel.ts'
import { request } from '../../api/api-client.ts'
import { failureText } from '../shell/failure-text.ts'
import { keptJson } from '../storage/persistent-atoms.ts'

/** Sealing key of a bridge, fetched before each request. */
export interface OpenDoor {
  readonly bridge_id: string
  readonly home_id: string
  readonly name: string
  readonly key: string
  readonly nonce: string
  /** Fingerprint of the key, for people to compare. */
  readonly fingerprint: string
}

/**
 * State of the sealed channel for adding cameras. `changed`: the bridge's fingerprint differs from those that this
 * browser stores for the home, so nothing is sent. `insecure`: a page without HTTPS cannot encrypt.
 */
export type SealingKeyState =
  | { state: 'asking' | 'no_bridge' | 'demo' | 'insecure' }
  | { state: 'bridge_off' | 'no_answer'; name: string }
  | { state: 'open' | 'changed'; name: string; home: string; fingerprint: string }
  | { state: 'failed'; text: string }

const NO_HOME = 'Only the owner of a home can add cameras. What others share with you appears here by itself.'

const NO_KEY = 'The key of your box cannot be used. Start the box again, then load this page again.'

export const $door = atom<SealingKeyState>({ state: 'asking' })

/** Accepted bridge fingerprints, by home id. They belong to the browser, so a sign-out does not delete them. */
type FingerprintsByHome = Readonly<Record<string, readonly string[]>>
const $known = keptJson<FingerprintsByHome>('browser_bridge_seals', {}, isKnown)

/** Fetches the sealing key; null if sealing is impossible, with the reason in `$door`. */
export async function fetchSealingKey(): Promise<OpenDoor | null> {
  if (!globalThis.crypto?.subtle) return shut({ state: 'insecure' })
  const answer = await request(openCameraDoor, {})
  if (!answer.ok) return shut({ state: 'failed', text: answer.status === 403 ? NO_HOME : failureText(answer) })
  const door = answer.data
  if (door.state !== 'open') return shut(door)
  const isKey = await publicKey(door.key).then(Boolean, () => false)
  if (!isKey) return shut({ state: 'failed', text: NO_KEY })
  const fingerprint = await computeFingerprint(door.key)
  const { home_id, name } = door
  const knownFingerprints = $known.get()[home_id] ?? []
  if (knownFingerprints.length === 0) acceptFingerprint(home_id, fingerprint)
  const isKnownKey = knownFingerprints.length === 0 || knownFingerprints.includes(fingerprint)
  $door.set({ state: isKnownKey ? 'open' : 'changed', name, home: home_id, fingerprint })
  return isKnownKey ? { ...door, fingerprint } : null
}

/** Stores a fingerprint that the user has compared, or the first one of this home in this browser. */
export function acceptFingerprint(home: string, fingerprint: string): void {
  const stored = $known.get()
  $known.set({ ...stored, [home]: [...(stored[home] ?? []), fingerprint].slice(-8) })
}

function shut(door: SealingKeyState): null {
  $door.set(door)
  return null
}

function isKnown(value: unknown): value is FingerprintsByHome {
  const isList = (entry: unknown) => Array.isArray(entry) && entry.every((text) => typeof text === 'string')
  return typeof value === 'object' && value !== null && Object.values(value).every(isList)
}
